"""Tests of the renderer: pictures are compared with plainly drawn ones, not with stored files."""
