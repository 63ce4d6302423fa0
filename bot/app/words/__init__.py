"""Pages and catalogues written from the sources."""
