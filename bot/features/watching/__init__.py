"""Following matches and players."""
