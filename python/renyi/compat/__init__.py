"""Drop-in accountants for tools that are there already: ``renyi.compat.opacus`` and ``renyi.compat.dp_accounting``."""
