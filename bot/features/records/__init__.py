"""Import and export of match records."""
