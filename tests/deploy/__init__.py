"""The contents of deploy/, checked without the programs that read them."""
