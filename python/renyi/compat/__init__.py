"""Drop-in accountants for other libraries: ``renyi.compat.opacus``, ``renyi.compat.opacus_ledger``,
``renyi.compat.dp_accounting`` and ``renyi.compat.tensorflow_privacy``."""
