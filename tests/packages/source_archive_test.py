"""Tests that the source archive has the sources and nothing else, with git and without; and names of packages."""

import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SourceArchive(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-source-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name) / "first"
        for name, text in {
            "VERSION": "1.2.3\n",
            "src/a b.cpp": "",
            "build/waste": "",
            ".gitignore": "build/\n",
        }.items():
            (self.here / name).parent.mkdir(parents=True, exist_ok=True)
            (self.here / name).write_text(text)
        (self.here / "tools").mkdir()
        shutil.copy(ROOT / "tools/source-archive", self.here / "tools")
        self.expected = {
            f"renyi-1.2.3/{name}" for name in ["VERSION", "src/a b.cpp", ".gitignore", "tools/source-archive"]
        }

    def archive(self, tree):
        done = subprocess.run([tree / "tools/source-archive"], check=True, capture_output=True, text=True)
        return tree / done.stdout.strip()

    def git(self, *arguments):
        settings = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *settings, *arguments], cwd=self.here, check=True, capture_output=True)

    def names(self, archive):
        with tarfile.open(archive) as opened:
            return set(opened.getnames())

    def test_an_unpacked_archive_makes_the_same_archive_again(self):
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")
        first = self.archive(self.here)
        self.assertEqual(self.names(first), self.expected)
        other = self.here.parent / "other"
        with tarfile.open(first) as opened:
            opened.extractall(other)
        self.assertEqual(self.archive(other / "renyi-1.2.3").read_bytes(), first.read_bytes())

    def test_changes_that_are_not_committed_are_in_it(self):
        self.git("init", "--quiet")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a change")
        (self.here / "src/new.cpp").write_text("")
        (self.here / "src/a b.cpp").unlink()
        self.assertEqual(
            self.names(self.archive(self.here)),
            self.expected - {"renyi-1.2.3/src/a b.cpp"} | {"renyi-1.2.3/src/new.cpp"},
        )


class DebianPackages(unittest.TestCase):
    def test_the_package_of_the_C_library_has_the_name_of_its_ABI(self):
        abi = re.search(r"^#define RENYI_ABI_VERSION (\d+)$", (ROOT / "include/renyi/c.h").read_text(), re.MULTILINE)[1]
        control = (ROOT / "debian/control").read_text()
        self.assertIn(f"\nPackage: librenyi-c{abi}\n", control)
        symbols = (ROOT / f"debian/librenyi-c{abi}.symbols").read_text()
        self.assertIn(f"librenyi_c.so.{abi} librenyi-c{abi} ", symbols)
        self.assertIn(f"(symver)RENYI_{abi} ", symbols)

    def test_the_version_is_written_in_VERSION_only(self):
        self.assertFalse((ROOT / "debian/changelog").exists(), "tools/deb writes it into the tree that it builds")


if __name__ == "__main__":
    unittest.main()
