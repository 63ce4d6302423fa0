"""What is said in other languages: the catalogues, the commands, and who hears which."""
