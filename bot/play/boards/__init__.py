"""What a board says and shows."""
