"""The Discord side: commands, buttons and boards over the rules, the store and the renderer."""
