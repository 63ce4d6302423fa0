"""Tests of the fast board of Thaayam."""
