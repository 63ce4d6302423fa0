"""Replays, animations, import and export of match records."""
