"""What server managers can decide."""
