loader = Loader(
    len(data),
    size=3,
)
