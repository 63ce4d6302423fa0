"""Tests of what everything builds on."""
