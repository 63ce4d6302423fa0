"""Whether everything that tells of a result tells the same."""
