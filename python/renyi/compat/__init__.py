"""Drop-in accountants for other libraries: ``renyi.compat.opacus`` and ``renyi.compat.dp_accounting``."""
