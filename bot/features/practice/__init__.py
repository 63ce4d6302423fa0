"""Practice games: computer opponents and hints."""
