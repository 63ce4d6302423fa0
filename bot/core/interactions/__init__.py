"""Shared by every command, button, menu and form: the reply, errors, layouts."""
