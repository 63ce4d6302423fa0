"""What all else builds on: interactions, languages, posts, permissions, settings, shards, workers."""
