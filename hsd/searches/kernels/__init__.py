"""The kernels of the searches, with the trees, open lists and bounds that they share."""
