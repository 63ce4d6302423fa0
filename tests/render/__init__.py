"""The renderer, whose pictures are compared with plain reference drawings, not stored files."""
