"""The playground's contents at its first start: matches between its people."""
