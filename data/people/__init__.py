"""Settings, blocks, limits and decisions about people and servers."""
