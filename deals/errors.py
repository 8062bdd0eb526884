"""The one kind of error that is the user's to mend."""


class BadInput(ValueError):
    """Something that was given cannot be used.

    The message is for people: what was expected, what came, how to mend it. The
    command line prints it without a traceback and exits with status 2.
    """
