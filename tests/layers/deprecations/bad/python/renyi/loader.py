class Loader:
    """Loads.

    >>> Loader([1, 2], size=3)
    """

    def __init__(self, sizes=None):
        _deprecation.warn("renyi.Loader(sizes=)")
