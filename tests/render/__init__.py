"""The renderer: pictures are compared with plain reference drawings, charts with stored ones."""
