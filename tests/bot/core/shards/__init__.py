"""Tests of bot/core/shards/."""
