"""What the playground shows at its first start: matches of the people who live there."""
