"""What those who run the bot do with it: examine it, back it up, restore it."""
