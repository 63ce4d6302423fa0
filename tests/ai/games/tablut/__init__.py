"""The fast board of Tablut."""
