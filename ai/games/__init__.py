"""A folder for each game that has a fast board. Nobody lists them: see `ai.position.fast`."""
