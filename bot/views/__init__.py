"""What is seen in Discord: messages built from presentations, and the buttons in them.

Board messages hold nothing but ``DynamicItem``s with ``timeout=None``: a press carries an
address, never a state, so every button survives a restart.
"""
