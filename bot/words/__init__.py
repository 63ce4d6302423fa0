"""All that players read, and in which language."""
