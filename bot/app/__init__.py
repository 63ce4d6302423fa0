"""What a process is: command line, roles, wiring, examinations, backups, monitoring, the demo."""
