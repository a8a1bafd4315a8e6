"""The C interface by ctypes, with Python's standard library alone.

Usage: ctypes_test.py LIBRENYI_C
"""
import ctypes
import json
import math
import sys
import unittest

library = ctypes.CDLL(sys.argv.pop(1))


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("field", ctypes.c_char * 124), ("message", ctypes.c_char * 512)]


class Result(ctypes.Structure):
    _fields_ = [
        ("renyi", ctypes.c_double),
        ("order", ctypes.c_double),
        ("exact_lower", ctypes.c_double),
        ("exact_upper", ctypes.c_double),
        ("exact_status", ctypes.c_int),
    ]


# A pointer, not a c_char_p: that would lose the address to be freed.
library.renyi_call.restype = ctypes.c_void_p
library.renyi_call.argtypes = [ctypes.c_char_p]
library.renyi_free.argtypes = [ctypes.c_void_p]
library.renyi_version.restype = ctypes.c_char_p
library.renyi_sampled_gaussian_epsilon.argtypes = [
    ctypes.c_double,
    ctypes.c_double,
    ctypes.c_int64,
    ctypes.c_double,
    ctypes.POINTER(Result),
    ctypes.POINTER(Error),
]


def call(**request):
    text = library.renyi_call(json.dumps(request).encode())
    try:
        return json.loads(ctypes.string_at(text))
    finally:
        library.renyi_free(text)


def epsilon(rate, noise, steps, delta):
    result, error = Result(), Error()
    status = library.renyi_sampled_gaussian_epsilon(rate, noise, steps, delta, result, error)
    return status, result, error


class ByCtypes(unittest.TestCase):
    def test_versions(self):
        self.assertEqual(library.renyi_abi_version(), 1)
        self.assertRegex(library.renyi_version().decode(), r"^\d+\.\d+\.\d+$")

    def test_direct_call_and_request_agree_to_the_last_bit(self):
        status, result, error = epsilon(0.01, 1.1, 10000, 1e-5)
        self.assertEqual((status, result.exact_status, error.status, error.message), (0, 0, 0, b""))
        step = {"mechanism": "sampled-gaussian", "sampling_rate": 0.01, "noise_multiplier": 1.1, "count": 10000}
        answer = call(op="epsilon", steps=[step], delta=1e-5)
        self.assertEqual(answer["renyi"]["epsilon"], result.renyi)
        self.assertEqual(answer["renyi"]["order"], result.order)
        self.assertEqual(answer["exact"]["lower"], result.exact_lower)
        self.assertEqual(answer["exact"]["upper"], result.exact_upper)

    def test_errors(self):
        status, result, error = epsilon(0.01, 1.1, 10000, math.nan)
        self.assertEqual((status, error.status, error.field), (1, 1, b"delta"))
        self.assertEqual(result.exact_upper, math.inf)
        self.assertEqual(call(op="nonsense")["error"]["kind"], "invalid_argument")


unittest.main()
