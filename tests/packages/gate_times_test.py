"""Tests how tools/gate-times reads and writes the table of CONTRIBUTING.md, and what it counts as CPU time."""

import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("gate_times", str(ROOT / "tools" / "gate-times"))
gate_times = importlib.util.module_from_spec(importlib.util.spec_from_loader("gate_times", loader))
loader.exec_module(gate_times)

TABLE = """| Part | May take | Took last (commit) | Wall |
|---|---|---|---|
| `make run` | 300 s | 257 s (abc) | 2 min |
| `make test` | 1,300 s | not yet | not yet |
"""


class GateTimes(unittest.TestCase):
    def test_the_table_has_every_part_that_the_gate_runs(self):
        parts = gate_times.allotments((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
        gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
        run = {line.split(" 2>")[0] for line in gate.splitlines() if line.startswith("make ")}
        self.assertEqual({"make run", *run}, set(parts))
        self.assertLessEqual(sum(parts.values()), 2500)

    def test_allotments_are_read(self):
        self.assertEqual(gate_times.allotments(TABLE), {"make run": 300, "make test": 1300})

    def test_a_measurement_is_written_into_its_row_only(self):
        text = gate_times.with_measurement(TABLE, "make test", 1234.4, 700, "0123abcd")
        self.assertIn("| `make test` | 1,300 s | 1,234 s (0123abcd) | 11.7 min |\n", text)
        self.assertEqual(gate_times.with_measurement(text, "make test", 1, 1, "x").splitlines()[:3], TABLE.splitlines()[:3])

    def test_time_of_children_counts_and_failures_are_seen(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "work.py"
            script.write_text("import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'sum(range(3000000))'])\nsys.exit(1)\n")
            passed, cpu, wall = gate_times.times(f"{sys.executable} {script}", folder)
        self.assertFalse(passed)
        self.assertGreater(cpu, 0.01)
        self.assertGreater(wall, 0.01)

    def test_no_compiler_cache_is_used(self):
        self.assertEqual(gate_times.without_cache()["CCACHE_DISABLE"], "1")


if __name__ == "__main__":
    unittest.main()
