"""What a match is: its moves, throws, offers, takebacks, claims and endings."""
