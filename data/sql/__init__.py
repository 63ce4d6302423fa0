"""What tables and statements are made of, the same for both databases."""
