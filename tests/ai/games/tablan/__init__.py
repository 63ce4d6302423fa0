"""The fast board of Tablan and its evaluation."""
