"""Named and open challenges, rematches and blocks."""
