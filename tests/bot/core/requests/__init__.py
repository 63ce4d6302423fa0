"""Tests of requests to Discord."""
