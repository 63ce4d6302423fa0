"""Activities: web pages of the application that run in a frame of the chat page, as in Discord."""
