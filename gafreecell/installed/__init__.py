"""What is installed: plug-ins, optional packages, the files that come along, the version."""
