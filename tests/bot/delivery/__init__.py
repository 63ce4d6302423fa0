"""Tests of what is told to Discord."""
