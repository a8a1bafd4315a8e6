"""Tests that tools/check-wheel passes a wheel that keeps the rules and finds what breaks them."""

import functools
import pathlib
import subprocess
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = "manylinux_2_34_x86_64"
OLD = "double work(double x) { return x + 1; }"
NEW = "#include <stdlib.h>\nunsigned work(void) { return arc4random(); }"  # glibc 2.36
STREAM = "#include <iostream>\nvoid work() { std::cout << 1; }"
INFO = "renyi-1.2.3.dist-info"
TEXTS = {
    f"{INFO}/entry_points.txt": "[console_scripts]\nrenyi = renyi.__main__:main\n",
    f"{INFO}/licenses/BUNDLED-LIBRARIES.md": "renyi.libs/libflint-0123.so.17, renyi.libs/libsqlite3-0123.so.0\n",
}


class CheckWheel(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-wheel-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name)

    @staticmethod
    @functools.cache
    def library(source, compiler="cc", *flags):
        language = "c" if compiler == "cc" else "c++"
        with tempfile.NamedTemporaryFile(suffix=".so") as made:
            command = [compiler, "-shared", "-fPIC", "-x", language, "-", "-o", made.name, *flags]
            subprocess.run(command, input=source, text=True, check=True)
            return pathlib.Path(made.name).read_bytes()

    def check(self, tag=TAG, **files):
        wheel = self.here / f"renyi-1.2.3-cp311-cp311-{tag}.whl"
        libraries = ("renyi/_native.so", "renyi.libs/libflint-0123.so.17", "renyi.libs/libsqlite3-0123.so.0")
        contents = TEXTS | {name: self.library(OLD) for name in libraries} | files
        with zipfile.ZipFile(wheel, "w") as archive:
            for name, content in contents.items():
                if content is not None:
                    archive.writestr(name, content)
        done = subprocess.run([ROOT / "tools/check-wheel", wheel], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def refuses(self, words, tag=TAG, **files):
        code, output = self.check(tag, **files)
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)

    def test_passes_a_wheel_that_keeps_the_rules(self):
        code, output = self.check()
        self.assertEqual(code, 0, output)

    def test_finds_symbols_that_are_too_new_in_the_module_and_in_libraries(self):
        new = self.library(NEW)
        self.refuses("renyi/_native.so needs arc4random of glibc 2.36", **{"renyi/_native.so": new})
        self.refuses("libflint-0123.so.17 needs arc4random", **{"renyi.libs/libflint-0123.so.17": new})

    def test_finds_libraries_that_are_not_there(self):
        stream = self.library(STREAM, "c++")
        self.refuses("needs the library libstdc++.so.6", **{"renyi/_native.so": stream})
        static = self.library(STREAM, "c++", "-static-libstdc++", "-Wl,--exclude-libs,ALL", "-Wl,--gc-sections")
        self.assertEqual(self.check(**{"renyi/_native.so": static})[0], 0)

    def test_finds_what_is_missing(self):
        self.refuses("is not tagged", tag="linux_x86_64")
        self.refuses("no module renyi/_native", **{"renyi/_native.so": None})
        self.refuses("no command renyi", **{f"{INFO}/entry_points.txt": None})
        self.refuses(
            "bundles libother-1.so, which its notices do not name", **{"renyi.libs/libother-1.so": self.library(OLD)}
        )
        self.refuses("15,000,000", large="0" * 15_000_001)
        self.refuses("bundles no SQLite", **{"renyi.libs/libsqlite3-0123.so.0": None})
        self.refuses("bundles no FLINT", **{"renyi.libs/libflint-0123.so.17": None})

    def test_finds_libraries_that_are_not_to_be_bundled(self):
        self.refuses(
            "bundles libpq-0123.so.5: libpq is loaded from the system",
            **{"renyi.libs/libpq-0123.so.5": self.library(OLD)},
        )


if __name__ == "__main__":
    unittest.main()
