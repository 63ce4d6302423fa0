"""What a process can be: everything at once, a gateway, or a worker."""
