"""What servers and players have chosen, and what is kept of them."""
