"""What a running process reports to its operators: liveness, readiness and metrics."""
