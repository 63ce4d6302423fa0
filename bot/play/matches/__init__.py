"""Playing: moves, boards, takebacks, draws, resignations, claims, endings."""
