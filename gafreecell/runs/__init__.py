"""What an evolution leaves behind: run folders, records, resuming, callbacks."""
