"""What lies in deploy/, checked without the programs that read it."""
