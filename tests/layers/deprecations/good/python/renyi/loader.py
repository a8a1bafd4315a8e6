class Loader:
    """Loads.

    >>> Loader(batch_size=3)
    """

    def __init__(self, batch_size=None, size=None):
        if size is not None:
            _deprecation.warn("renyi.Loader(size=)")


Loader(size=3)
