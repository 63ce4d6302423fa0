"""Work that nobody waits for: woken, limited and retried."""
