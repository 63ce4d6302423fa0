"""The chat page: people use the playground in their browser."""
