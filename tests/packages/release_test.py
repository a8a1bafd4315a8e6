"""Tests tools/release in a small project that has its Makefile, tests and artefacts in miniature."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKEFILE = """
source:
	@mkdir -p build/source && echo source >build/source/renyi-1.2.3.tar.gz
wheel:
	@mkdir -p build/wheel build/wheel-libraries && echo wheel >build/wheel/renyi-1.2.3-cp311.whl
	@echo flint >build/wheel-libraries/flint_2.9.0.orig.tar.gz
deb:
	@mkdir -p build/deb && cd build/deb && for file in renyi_1.2.3-1_amd64.deb renyi_1.2.3-1.dsc \\
	  renyi_1.2.3-1.debian.tar.xz renyi_1.2.3.orig.tar.gz; do echo $$file >$$file; done
try-deb:
	@touch build/tried
"""
CHANGELOG = "# Changelog\n\n## 1.2.3\n- New.\n\n## 1.2.2\n- Old.\n"


class Release(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-release-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name)
        (self.here / "tools").mkdir()
        shutil.copy(ROOT / "tools/release", self.here / "tools")
        self.write(
            {
                "VERSION": "1.2.3\n",
                "CHANGELOG.md": CHANGELOG,
                "Makefile": MAKEFILE,
                "tests/compat/1.2.3/meanings/plans.json": "{}",
                ".gitignore": "build/\n",
                ".ci/run": "#!/bin/sh\necho 3 tests passed\n",
            }
        )
        (self.here / ".ci/run").chmod(0o755)
        self.git("init", "--quiet")
        self.commit()

    def write(self, files):
        for name, text in files.items():
            file = self.here / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def git(self, *arguments):
        settings = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *settings, *arguments], cwd=self.here, check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "a change")

    def release(self, *flags):
        return subprocess.run([self.here / "tools/release", *flags], capture_output=True, text=True)

    def failing(self):
        """The items that do not hold by --check."""
        done = self.release("--check")
        items = [line.split(maxsplit=1) for line in done.stdout.splitlines()]
        failing = {rest[:16].strip(): rest[16:] for state, rest in items if state == "no"}
        self.assertEqual(done.returncode, 1 if failing else 0, done.stderr)
        return failing

    def test_check_builds_nothing_and_says_what_is_missing(self):
        self.assertEqual(set(self.failing()), {"tests and lint", "artefacts"})
        self.assertFalse((self.here / "build").exists())

    def test_each_item_can_fail(self):
        for files, item, words in [
            ({"VERSION": "1.2\n"}, "version", "MAJOR.MINOR.PATCH"),
            ({"CHANGELOG.md": CHANGELOG.replace("1.2.3", "Unreleased")}, "changelog", "says nothing of 1.2.3"),
            ({"CHANGELOG.md": CHANGELOG.replace("- New.", "")}, "changelog", "says nothing of 1.2.3"),
            (
                {"CHANGELOG.md": CHANGELOG.replace("## 1.2.3", "## Unreleased\n- Newer.\n\n## 1.2.3")},
                "changelog",
                "Unreleased",
            ),
            ({"VERSION": "1.3.0\n"}, "stored files", "no tests/compat/1.3.0"),
            ({"stray": "text"}, "clean tree", "stray"),
        ]:
            with self.subTest(item=item, words=words):
                self.write(files)
                if item != "clean tree":
                    self.commit()
                self.assertIn(words, self.failing().get(item, ""))
                self.assertEqual(self.release().returncode, 2)
                self.assertFalse((self.here / "build").exists())
                self.write({"VERSION": "1.2.3\n", "CHANGELOG.md": CHANGELOG})
                self.commit()
        self.git("tag", "v1.2.3")
        self.assertIn("exists already", self.failing()["tag"])

    def test_artefacts_have_checksums_and_belong_to_their_commit(self):
        done = self.release()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("git tag --annotate v1.2.3", done.stdout)
        self.assertTrue((self.here / "build/tried").exists())
        artefacts = self.here / "build/release/1.2.3"
        sums = (artefacts / "SHA256SUMS").read_text().splitlines()
        self.assertEqual(
            {line.split()[1] for line in sums} | {"SHA256SUMS"}, {file.name for file in artefacts.iterdir()}
        )
        self.assertEqual(self.failing(), {})

        (artefacts / "renyi-1.2.3.tar.gz").write_text("another")
        self.assertIn("SHA256SUMS", self.failing()["artefacts"])
        self.assertEqual(self.release().returncode, 0)
        self.assertEqual(self.failing(), {})

        self.commit()
        self.assertEqual(set(self.failing()), {"tests and lint", "artefacts"})

    def test_without_passing_tests_nothing_is_built(self):
        self.write({".ci/run": "#!/bin/sh\necho 1 test failed\nexit 1\n"})
        self.commit()
        self.assertEqual(self.release().returncode, 1)
        self.assertFalse((self.here / "build/source").exists())
        self.assertIn("tests and lint", self.failing())


if __name__ == "__main__":
    unittest.main()
