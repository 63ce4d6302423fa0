"""Tests of delivery to Discord."""
