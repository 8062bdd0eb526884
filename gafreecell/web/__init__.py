"""A local web app: solve and get hints in a browser, and watch runs. It needs the extra ``web``.

It is made for one person on one machine: it listens on 127.0.0.1, and it limits what a request
may spend. ``desk`` does the work of requests, ``guard`` refuses what does not come from its own
pages, ``playing`` and ``running`` answer them, and ``app`` puts these together.
"""
