"""What happens in a match: use cases over the rules and the store, without Discord."""
