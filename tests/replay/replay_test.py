"""Tests that tools/replay finds every kind of difference, passes what it is told to pass, and writes only if told."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tool():
    loader = importlib.machinery.SourceFileLoader("replay", str(ROOT / "tools/replay"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("replay", loader))
    loader.exec_module(module)
    return module


REPLAY = tool()
RECORDED = '{"renyi":{"epsilon":1.25,"order":8.5},"exact":{"lower":1.2,"upper":1.3},"note":"wider than 0.1"}'


def paths(recorded, now, rule=None, dropped=frozenset()):
    """Returns where two answers differ."""
    return [found.path for found in REPLAY.compared(recorded, now, rule or REPLAY.Equal(), dropped)]


class Comparing(unittest.TestCase):
    def test_equal_answers(self):
        self.assertEqual(paths(RECORDED, RECORDED), [])
        self.assertEqual(paths(RECORDED, RECORDED, REPLAY.Overlap()), [])

    def test_a_changed_digit(self):
        now = RECORDED.replace("1.25", "1.2500000000000002")
        found = REPLAY.compared(RECORDED, now, REPLAY.Equal())
        self.assertEqual(found, [("renyi.epsilon", "1.25", "1.2500000000000002")])
        self.assertEqual(paths(RECORDED, now, REPLAY.Overlap()), [])

    def test_a_number_of_other_text_or_type(self):
        self.assertEqual(paths('{"a":1}', '{"a":1.0}'), ["a"])
        self.assertEqual(paths('{"a":1}', '{"a":"1"}'), ["a"])
        self.assertEqual(paths('{"a":1}', '{"a":true}', REPLAY.Overlap()), ["a"])
        self.assertEqual(paths('{"a":[1,2]}', '{"a":[1,3]}'), ["a[1]"])
        self.assertEqual(paths('{"a":[1,2]}', '{"a":[1]}'), ["a"])
        self.assertEqual(paths('{"a":"\\u00e9"}', '{"a":"é"}'), [""])
        self.assertEqual(paths('{"a":1}', "killed"), [""])

    def test_members(self):
        for rule in (REPLAY.Equal(), REPLAY.Overlap()):
            self.assertEqual(paths('{"a":{"b":1,"c":2}}', '{"a":{"b":1}}', rule), ["a.c"])
            self.assertEqual(paths('{"a":{"b":1}}', '{"a":{"b":1,"c":2}}', rule), ["a.c"])
            self.assertEqual(paths('{"a":1,"b":2}', '{"b":2,"a":1}', rule), [""])

    def test_overlap_refuses_what_is_not_near(self):
        overlap = REPLAY.Overlap()
        self.assertEqual(paths(RECORDED, RECORDED.replace("1.25", "1.2501"), overlap), ["renyi.epsilon"])
        self.assertEqual(paths(RECORDED, RECORDED.replace("8.5", "8.504"), overlap), [])
        self.assertEqual(paths(RECORDED, RECORDED.replace("8.5", "8.6"), overlap), ["renyi.order"])
        self.assertEqual(paths('{"order":1e9}', '{"order":"inf"}', overlap), [])
        self.assertEqual(paths('{"epsilon":1e9}', '{"epsilon":"inf"}', overlap), ["epsilon"])

    def test_overlap_of_intervals(self):
        overlap = REPLAY.Overlap()
        self.assertEqual(paths('{"lower":1,"upper":2}', '{"lower":1.5,"upper":2.5}', overlap), [])
        self.assertIn("", paths('{"lower":1,"upper":2}', '{"lower":2.1,"upper":3}', overlap))
        self.assertIn("", paths('{"lower":1,"upper":2}', '{"lower":5,"upper":"inf"}', overlap))
        self.assertEqual(paths('{"lower":1,"upper":"inf"}', '{"lower":1.1,"upper":"inf"}', overlap), ["lower"])

    def test_overlap_of_texts(self):
        overlap = REPLAY.Overlap()
        self.assertEqual(paths('["got 0.1234567"]', '["got 0.1234568"]', overlap), [])
        self.assertEqual(paths('["got 0.12"]', '["got 0.13"]', overlap), ["[0]"])
        self.assertEqual(paths('["got 0.12"]', '["has 0.12"]', overlap), ["[0]"])

    def test_a_looser_interval_that_says_so(self):
        overlap, now = REPLAY.Overlap(), '{"lower":1,"upper":2.1,"note":"wider than 1e-5"}'
        self.assertEqual(paths('{"lower":1,"upper":2}', now, overlap), [])
        self.assertEqual(paths('{"lower":1,"upper":2}', now.replace("wider", "other"), overlap), ["note"])
        self.assertIn("note", paths('{"lower":1,"upper":2.2}', now, overlap))

    def test_dropped_members(self):
        now = RECORDED.replace("1.25", "7").replace("wider than 0.1", "other")
        self.assertEqual(paths(RECORDED, now), ["renyi.epsilon", "note"])
        self.assertEqual(paths(RECORDED, now, dropped={"note"}), ["renyi.epsilon"])
        self.assertEqual(paths(RECORDED, now, dropped={"note", "epsilon"}), [])
        self.assertEqual(paths('[{"a":[{"b":1}]}]', '[{"a":[{}]}]', dropped={"b"}), [])

    def test_the_rules_are_those_of_the_engine_in_webassembly(self):
        script = (ROOT / "web/engine/test/compare.js").read_text(encoding="utf-8")
        names = re.search(r"const places = /\(\^\|\\\.\)\((.*)\)\$/;", script).group(1)
        self.assertEqual(set(names.split("|")), REPLAY.PLACES)
        self.assertIn("? 1e-3 : 1e-9", script)

    def test_vectors_are_those_of_the_dispatch(self):
        source = (ROOT / "simd/dispatch.cpp").read_text(encoding="utf-8")
        asked = {name.replace("bmi", "bmi1") if name == "bmi" else name for name in re.findall(r'supports\("(\w+)"\)',
            source)}
        told = set(re.findall(r'"(\w+)"',
            (ROOT / "tools/replay").read_text(encoding="utf-8").partition("def vectors")[2].partition("def ")[0]))
        self.assertLessEqual(asked, told)


class Replaying(unittest.TestCase):
    """The whole tool, with a script as the build."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-replay-")
        self.addCleanup(directory.cleanup)
        self.here = pathlib.Path(directory.name)
        self.answers = [f'{{"renyi":"0.8.{n % 2}","value":{n}}}' for n in range(100)]
        requests = ['{"op":"delta","id":%d}' % n for n in range(99)] + ["no JSON"]
        (self.here / "requests.jsonl").write_text("".join(f"{one}\n" for one in requests), encoding="utf-8")
        self.run_tool("--record", "--yes")

    def run_tool(self, *options, answers=None):
        """Returns the exit code and what was printed, where the build answers request n by the nth of the answers."""
        (self.here / "answers").write_text(json.dumps(self.answers if answers is None else answers), encoding="utf-8")
        (self.here / "build.py").write_text(
            "import json, pathlib, sys\n"
            "answers = json.loads((pathlib.Path(__file__).parent / 'answers').read_text())\n"
            "for line in sys.stdin:\n"
            "    place = json.loads(line)['id'] if line.startswith('{') else 99\n"
            "    if place < len(answers): print(answers[place])\n", encoding="utf-8")  # fmt: skip
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            code = REPLAY.main([f"/usr/bin/python3 -B {self.here}/build.py", "--recording", str(self.here), *options])
        return code, printed.getvalue()

    def changed(self, *places):
        return [one.replace(f':{n}}}', f':{n}.5}}') if n in places else one for n, one in enumerate(self.answers)]

    def test_no_difference_but_the_version(self):
        code, printed = self.run_tool(answers=[one.replace("0.8.1", "0.9.0") for one in self.answers])
        self.assertEqual(code, 0, printed)
        self.assertIn("100 requests", printed)
        self.assertIn("0 differ", printed)

    def test_differences_are_told_by_line_and_operation(self):
        code, printed = self.run_tool(answers=self.changed(6, 41, 99))
        self.assertEqual(code, 1)
        self.assertIn('line 7: {"op":"delta","id":6}\n  value: recorded 6, now 6.5\n', printed)
        self.assertIn("line 100: no JSON\n", printed)
        self.assertIn("3 differ, delta 2, none 1", printed)
        self.assertEqual(self.run_tool("--drop", "value", answers=self.changed(6, 41, 99))[0], 0)

    def test_answers_that_are_missing(self):
        code, printed = self.run_tool(answers=self.answers[:60])
        self.assertEqual(code, 1)
        self.assertIn('none to line 61: {"op":"delta","id":60}', printed)

    def test_quarters_make_the_whole(self):
        requests = [f"request {n}" for n in range(400)]
        parts = [REPLAY.sampled(requests, f"{some}/4") for some in (1, 2, 3, 4)]
        self.assertEqual(parts[3], list(range(400)))
        self.assertTrue(set(parts[0]) < set(parts[1]) < set(parts[2]) < set(parts[3]))
        self.assertTrue(60 < len(parts[0]) < 140)

    def test_a_sample_is_compared_with_its_own_answers(self):
        self.assertEqual(self.run_tool("--sample", "1/4")[0], 0)
        self.assertEqual(self.run_tool("--sample", "1/4", answers=self.changed(*range(100)))[0], 1)

    def test_other_conditions_are_told_and_compared_by_overlap(self):
        about = json.loads((self.here / "recorded.json").read_text(encoding="utf-8"))
        about["conditions"]["vectors"] = "another"
        (self.here / "recorded.json").write_text(json.dumps(about), encoding="utf-8")
        near = [one.replace(":50}", ":50.00000000001}") for one in self.answers]
        code, printed = self.run_tool(answers=near)
        self.assertEqual(code, 0, printed)
        self.assertIn("intervals have to overlap", printed)
        self.assertEqual(self.run_tool(answers=self.changed(50))[0], 1)

    def test_recording_needs_to_be_told(self):
        code, printed = self.run_tool("--record", answers=self.changed(3, 4))
        self.assertEqual(code, 1)
        self.assertIn("2 of 100 answers are new, delta 2", printed)
        self.assertEqual(self.run_tool()[0], 0)
        self.assertEqual(self.run_tool("--record", "--yes", answers=self.changed(3, 4))[0], 0)
        self.assertEqual(self.run_tool(answers=self.changed(3, 4))[0], 0)

    def test_answers_to_other_requests(self):
        with (self.here / "requests.jsonl").open("a", encoding="utf-8") as file:
            file.write("{}\n")
        self.assertEqual(self.run_tool()[0], 2)


if __name__ == "__main__":
    unittest.main()
