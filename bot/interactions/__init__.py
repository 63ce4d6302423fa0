"""What every command, button, menu and form goes through: the reply, errors, layouts."""
