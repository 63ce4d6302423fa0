"""Tests of bot/shards/."""
