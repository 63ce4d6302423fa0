"""The fast board of Thaayam."""
