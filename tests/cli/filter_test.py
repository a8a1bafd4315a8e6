"""Tests `renyi filter charge` as real processes: many at once, and killed at any moment.

Usage: filter_test.py RENYI [TEST...]. RENYI_FILTER_SEED repeats a failure; RENYI_FILTER_KILLS is how many are killed.
"""

import fcntl
import json
import os
import pathlib
import random
import stat
import subprocess
import sys
import tempfile
import time
import unittest

RENYI = os.path.abspath(sys.argv.pop(1))
SEED = int(os.environ.get("RENYI_FILTER_SEED", random.randrange(10**6)))
KILLS = int(os.environ.get("RENYI_FILTER_KILLS", "60"))


class Filters(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-filter-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name)
        self.file = self.here / "filter.json"

    def run_filter(self, *words):
        return subprocess.run([RENYI, "filter", *words], cwd=self.here, capture_output=True, text=True, timeout=3600)

    def start_charge(self, *step):
        return subprocess.Popen([RENYI, "filter", "charge", "filter.json", *step], cwd=self.here,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def new(self, rho):
        done = self.run_filter("new", "filter.json", "--kind", "zcdp", "--rho", str(rho))
        self.assertEqual(done.returncode, 0, done.stderr)

    def counts(self):
        """How often each step was charged, by its rho. The command itself reads the file, so that it is a whole one."""
        done = self.run_filter("show", "filter.json", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = json.loads(self.file.read_text())["steps"]
        return {step["rho"]: step.get("count", 1) for step in steps}

    def test_charges_at_once_are_all_kept(self):
        self.new(1)
        processes = [self.start_charge("--rho", f"0.0{1 + i % 3}") for i in range(24)]
        for process in processes:
            out, error = process.communicate(timeout=3600)
            self.assertEqual(process.returncode, 0, out + error)
        self.assertEqual(self.counts(), {0.01: 8, 0.02: 8, 0.03: 8})

    def test_charges_at_once_never_exceed_the_budget(self):
        self.new(0.1)
        processes = [self.start_charge("--rho", "0.02") for _ in range(12)]
        codes = []
        for process in processes:
            process.communicate(timeout=3600)
            codes.append(process.returncode)
        self.assertEqual(sorted(codes), [0] * 5 + [1] * 7)
        self.assertEqual(self.counts(), {0.02: 5})

    def test_killed_at_any_moment_the_file_is_whole(self):
        chance = random.Random(SEED)
        self.new(1000)
        start = time.monotonic()
        self.assertEqual(self.run_filter("charge", "filter.json", "--rho", "0.5").returncode, 0)
        usual = time.monotonic() - start
        at_least = at_most = 1
        kills = 0
        while kills < KILLS:
            processes = [self.start_charge("--rho", "0.5") for _ in range(3)]
            at_most += len(processes)
            for process in processes:
                try:
                    process.wait(timeout=1.5 * usual * chance.random())
                except subprocess.TimeoutExpired:
                    process.kill()
                    kills += 1
                out, error = process.communicate(timeout=3600)
                # What was acknowledged is charged, also if the program was killed afterwards.
                at_least += process.returncode == 0 or "Charged" in out
                self.assertIn(process.returncode, (0, -9), error)
            charged = self.counts().get(0.5, 0)
            self.assertLessEqual(at_least, charged, f"seed {SEED}")
            self.assertLessEqual(charged, at_most, f"seed {SEED}")
            at_least = at_most = charged
        self.assertEqual(self.run_filter("charge", "filter.json", "--rho", "0.5").returncode, 0)
        self.assertEqual(self.counts()[0.5], at_most + 1)
        self.assertEqual([path.name for path in self.here.iterdir()], ["filter.json"])

    def test_a_new_filter_is_made_once(self):
        words = ["new", "filter.json", "--kind", "gdp", "--mu"]
        processes = [subprocess.Popen([RENYI, "filter", *words, str(1 + i)], cwd=self.here, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE) for i in range(8)]
        codes = []
        for process in processes:
            process.communicate(timeout=3600)
            codes.append(process.returncode)
        self.assertEqual(sorted(codes), [0] + [2] * 7)
        made = json.loads(self.file.read_text())["budget"]["mu"]
        self.assertEqual(codes[int(made) - 1], 0)
        self.assertEqual([path.name for path in self.here.iterdir()], ["filter.json"])

    def test_permissions_stay_and_links_are_refused(self):
        self.new(1)
        self.file.chmod(0o640)
        self.assertEqual(self.run_filter("charge", "filter.json", "--rho", "0.5").returncode, 0)
        self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o640)
        before = self.file.read_bytes()
        (self.here / "link.json").symlink_to("filter.json")
        done = self.run_filter("charge", "link.json", "--rho", "0.1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("symbolic link", done.stderr)
        self.assertEqual(self.file.read_bytes(), before)

    def test_a_long_wait_is_announced(self):
        self.new(1)
        with open(self.file) as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            process = self.start_charge("--rho", "0.5")
            # The lock is kept until the program has said that it waits.
            self.assertEqual(process.stderr.readline(), "renyi: filter.json: waiting for another program that changes it\n")
            self.assertEqual(json.loads(self.file.read_text())["steps"], [])
        out, error = process.communicate(timeout=3600)
        self.assertEqual(process.returncode, 0, error)
        self.assertIn("Charged", out)
        self.assertEqual(self.counts(), {0.5: 1})

    def test_messages_name_the_file_and_not_the_one_beside_it(self):
        self.new(1)
        before = self.file.read_bytes()
        (self.here / ".filter.json.new").mkdir()
        done = self.run_filter("charge", "filter.json", "--rho", "0.5")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("renyi: filter.json: got "), done.stderr)
        self.assertEqual(self.file.read_bytes(), before)
        # No program can make a file there.
        done = self.run_filter("new", "/proc/filter.json", "--kind", "zcdp", "--rho", "1")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith("renyi: /proc/filter.json: got "), done.stderr)
        self.assertIn("a file in a folder that can be written", done.stderr)


if __name__ == "__main__":
    print("seed", SEED)
    unittest.main(verbosity=2)
