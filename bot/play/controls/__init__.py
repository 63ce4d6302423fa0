"""What players press and type in a match."""
