"""The kernels of the searches, and the tree, open lists and bounds that some share."""
