"""The page in the browser: a second view of matches, beside the boards in Discord."""
