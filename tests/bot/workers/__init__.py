"""Worker processes, real ones: killed and replaced."""
