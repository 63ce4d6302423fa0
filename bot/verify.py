"""The record of a match, and the proof that nobody chose its throws."""
