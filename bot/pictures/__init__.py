"""Pictures and films, painted in workers, as servers and players like them."""
