"""What the bot offers around matches: a folder each. None imports another, but for named exceptions."""
