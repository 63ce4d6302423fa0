"""Paints pictures off the event loop, styled for servers and players."""
