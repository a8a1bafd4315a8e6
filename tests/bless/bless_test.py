"""Tests what `make bless` rewrites and what it refuses, by small records in place of real ones."""

import contextlib
import doctest
import io
import json
import os
import pathlib
import tempfile
import unittest

from align import Refused, figures_of, rewritten
import bless

REPORT = """\
epsilon = 2.5 at delta = 1e-5  (rounded up)

  run         10 x gaussian, noise_multiplier=4
  sampling    Poisson: each record enters each step by itself, at that rate.
              Shuffled loaders differ.
  exact       2.4 to 2.5 (the larger of both)
  remove      2.4 to 2.5 (by contour)
  add         2.1 to 2.2 (by contour)

In words: whatever may happen, it has hardly more probability
with a record than without it.""".split("\n")


def changed(old, new):
    """Returns the report with one text in place of another; both may have several lines."""
    text = "\n".join(REPORT)
    assert old in text
    return text.replace(old, new).split("\n")


class Alignment(unittest.TestCase):
    def test_without_dots_the_output_replaces_all(self):
        self.assertEqual(rewritten(REPORT, ["other"]), ["other"])

    def test_dots_stay_and_a_changed_line_is_found(self):
        output = changed("(the larger of both)", "(the larger one of both)")
        self.assertEqual(rewritten([REPORT[0], "...", REPORT[5], "..."], output),
                         [output[0], "...", output[5], "..."])

    def test_dots_at_the_beginning_stay(self):
        output = changed("In words: whatever may", "In plain words: whatever might")
        self.assertEqual(rewritten(["...", *REPORT[9:]], output), ["...", *output[9:]])

    def test_a_paragraph_whose_breaks_move_is_taken_whole(self):
        output = changed("each record enters each step by itself, at that rate.\n"
                         "              Shuffled loaders differ.",
                         "each of the records enters each step by itself,\n              at that rate.\n"
                         "              Shuffled loaders differ.")
        self.assertEqual(rewritten([REPORT[0], "...", *REPORT[3:5], "...", REPORT[7], "..."], output),
                         [output[0], "...", *output[3:6], "...", output[8], "..."])

    def test_a_line_that_is_new_stays_under_the_dots(self):
        output = [*REPORT[:5], "  note        something else altogether", *REPORT[5:]]
        expected = [REPORT[0], "...", REPORT[6], "..."]
        self.assertEqual(rewritten(expected, output), expected)

    def test_other_indentation_is_followed(self):
        output = changed("  exact       2.4", "  exact     2.4")
        self.assertEqual(rewritten(["...", REPORT[5], "..."], output), ["...", output[5], "..."])

    def test_equal_lines_that_are_shown_twice_are_both_found(self):
        output = ["a b c d", "x", "a b c d", "last one"]
        self.assertEqual(rewritten(["a b c d", "...", "a b c d", "...", "last"], output),
                         ["a b c d", "...", "a b c d", "...", "last one"])

    def test_two_places_that_fit_equally_are_refused(self):
        with self.assertRaisesRegex(Refused, "may be line 2 .* or line 4"):
            rewritten(["top", "...", "row of the table", "..."],
                      ["top", "first row of the table", "between", "other row of the table", "end"])

    def test_a_last_line_that_may_belong_to_the_text_is_refused(self):
        with self.assertRaisesRegex(Refused, "may be"):
            rewritten(["top", "...", "one two three four five six", "..."],
                      ["top", "one two three", "four five new words", "end"])

    def test_text_that_is_gone_is_refused(self):
        for expected in (["...", REPORT[6], "..."], [REPORT[0], "..."]):
            with self.assertRaisesRegex(Refused, "cannot be told|no place"):
                rewritten(expected, ["renyi: nothing", "of this", "is left"])

    def test_numbers_are_found_wherever_they_stand(self):
        self.assertEqual(figures_of(["at 1e-5, -0.5 (B / N = 256/60000).", "...", '{"a":true,"b":[null, "inf"]}',
                                     "sha256 3fa9 is true, δ = 10⁻⁵: infinite"]),
                         ["1e-5", "-0.5", "256", "60000", "true", "null", "inf", "sha256", "3fa9", "10⁻⁵"])


class Files(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="renyi-bless-test-")
        self.addCleanup(directory.cleanup)
        self.root = pathlib.Path(directory.name)
        self.printed = ""

    def write(self, *lines, file="a.transcript"):
        (self.root / file).write_text("\n".join(lines) + "\n", encoding="utf-8")

    def read(self, file="a.transcript"):
        return (self.root / file).read_text(encoding="utf-8").splitlines()

    def exchange(self, line, expected, actual, **others):
        first = line + 1
        return {"line": line, "command": "renyi", "expected": expected, "actual": actual, "exit_line": 0,
                "places": list(range(first, first + len(expected))), "exit_codes": [0, 0],
                "matches": expected == actual, **others}

    def bless(self, *exchanges, file="a.transcript", numbers=False):
        """Returns the refusals; what each exchange comes from a record of its own, as sessions of Python do."""
        records = self.root / "records"
        records.mkdir(exist_ok=True)
        for number, exchange in enumerate(exchanges):
            (records / f"{number}.json").write_text(json.dumps({"file": file, "exchanges": [exchange]}))
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            refusals = bless.bless_records(self.root, records, numbers)
        self.printed = output.getvalue()
        return refusals

    def test_a_changed_sentence_is_rewritten_and_shown(self):
        self.write("Comment.", "$ renyi", "old words", "", "$ renyi", "the same", "")
        exchanges = [self.exchange(2, ["old words"], ["new words", "and more"]),
                     self.exchange(5, ["the same"], ["the same"])]
        self.assertEqual(self.bless(*exchanges), [])
        self.assertEqual(self.read(), ["Comment.", "$ renyi", "new words", "and more", "", "$ renyi", "the same", ""])
        self.assertIn("-old words\n+new words\n+and more\n", self.printed)

    def test_two_exchanges_of_different_length_keep_their_places(self):
        self.write("$ renyi", "one", "", "$ renyi", "two", "", "$ renyi", "three")
        self.assertEqual(self.bless(self.exchange(1, ["one"], ["one", "and a half is"]), self.exchange(4, ["two"], []),
                                    self.exchange(7, ["three"], ["four"])), [])
        self.assertEqual(self.read(), ["$ renyi", "one", "and a half is", "", "$ renyi", "", "$ renyi", "four"])

    def test_a_second_time_changes_nothing(self):
        self.write("$ renyi", "new words")
        self.assertEqual(self.bless(self.exchange(1, ["new words"], ["new words"])), [])
        self.assertEqual((self.read(), self.printed), (["$ renyi", "new words"], ""))

    def test_a_changed_number_is_refused_and_the_others_are_rewritten(self):
        self.write("$ renyi", "cost 2.5 at 1e-5", "", "$ renyi", "old words")
        exchanges = [self.exchange(1, ["cost 2.5 at 1e-5"], ["cost 2.6 at 1e-5"]),
                     self.exchange(4, ["old words"], ["new words"])]
        refusals = self.bless(*exchanges)
        self.assertEqual(refusals, ["a.transcript:1: $ renyi: numbers would change\n  old: 2.5\n  new: 2.6"])
        self.assertEqual(self.read(), ["$ renyi", "cost 2.5 at 1e-5", "", "$ renyi", "new words"])
        self.assertEqual(self.bless(exchanges[0], numbers=True), [])
        self.assertEqual(self.read()[1], "cost 2.6 at 1e-5")

    def test_a_changed_exit_code_is_a_changed_number(self):
        self.write("$ renyi", "no", "? 2", "", "$ renyi", "yes")
        exchanges = [self.exchange(1, ["no"], ["no"], exit_line=3, exit_codes=[2, 0]),
                     self.exchange(5, ["yes"], ["yes"], exit_codes=[0, 3])]
        self.assertEqual(len(self.bless(*exchanges)), 2)
        self.assertEqual(self.read(), ["$ renyi", "no", "? 2", "", "$ renyi", "yes"])
        self.assertEqual(self.bless(*exchanges, numbers=True), [])
        self.assertEqual(self.read(), ["$ renyi", "no", "", "$ renyi", "yes", "? 3"])

    def test_output_that_reads_as_something_else_is_refused(self):
        self.write("$ renyi", "words", file="a.md")
        for line in ("$ price", "```", "? 2", "broken \ufffd"):
            self.assertEqual(len(self.bless(self.exchange(1, ["words"], [line]), file="a.md", numbers=True)), 1, line)
        self.assertEqual(self.read("a.md"), ["$ renyi", "words"])

    def test_what_a_record_refuses_is_refused(self):
        self.write("$ renyi", "words")
        self.assertIn("why", self.bless(self.exchange(1, ["words"], ["others"], refused="why"))[0])
        self.assertIn("two places", self.bless(self.exchange(1, ["a", "b"], ["c"], places=[2, 9]))[0])
        self.assertEqual(self.read(), ["$ renyi", "words"])

    def test_generated_files_keep_their_numbers(self):
        for name in bless.GENERATED:
            file = self.root / name
            (file if name == "docs/pictures" else file.parent).mkdir(parents=True, exist_ok=True)
            if name != "docs/pictures":
                file.write_text("old 1\n")

        def write():
            for name in bless.GENERATED[2:4]:
                (self.root / name).write_text("new 1\n" if name.endswith(".md") else "old 2\n")

        with contextlib.redirect_stdout(io.StringIO()):
            refusals = bless.bless_generated(self.root, False, write)
        self.assertEqual([refusal.split(":")[0] for refusal in refusals], ["include/renyi/mechanisms.h"])
        self.assertEqual((self.root / "docs/benchmarks.md").read_text(), "new 1\n")
        self.assertEqual((self.root / "include/renyi/mechanisms.h").read_text(), "old 1\n")


class Sessions(unittest.TestCase):
    """Sessions of Python, recorded by running them."""

    def bless(self, text, numbers=False):
        plain = doctest.DocTestRunner
        import sessions  # it takes the place of doctest's runner
        self.addCleanup(setattr, doctest, "DocTestRunner", plain)
        with tempfile.TemporaryDirectory(prefix="renyi-bless-test-") as name:
            root = pathlib.Path(name)
            sessions.ROOT = root
            (root / "a.md").write_text(text, encoding="utf-8")
            os.environ["RENYI_RECORD"] = name
            with contextlib.redirect_stdout(io.StringIO()):
                test = doctest.DocTestParser().get_doctest(text, {}, "a.md", str(root / "a.md"), 0)
                sessions.Recorder(verbose=False).run(test)
                refusals = bless.bless_records(root, root, numbers)
            return (root / "a.md").read_text(encoding="utf-8"), refusals

    def test_changed_words_are_rewritten(self):
        old = ("Text.\n\n>>> print('new words')\nold words\n\n"
               "    >>> if True:\n    ...     print('a')\n    b\n    c\n\nEnd.\n")
        new = old.replace("\nold words", "\nnew words").replace("    b\n    c\n", "    a\n")
        self.assertEqual(self.bless(old), (new, []))

    def test_the_message_of_an_exception_is_rewritten(self):
        text = ">>> raise ValueError('new')\nTraceback (most recent call last):\n    ...\nValueError: old\n"
        self.assertEqual(self.bless(text), (text.replace("old", "new"), []))

    def test_numbers_dots_and_exceptions_are_refused(self):
        for text, reason in ((">>> 1 + 1\n3\n", "numbers would change"),
                             (">>> 'a'  # doctest: +ELLIPSIS\n'b...'\n", "dots"),
                             (">>> undefined\n'b'\n", "exception"),
                             (">>> print('>>> b')\nc\n", "cannot be written")):
            unchanged, refusals = self.bless(text)
            self.assertEqual((unchanged, len(refusals)), (text, 1))
            self.assertIn(reason, refusals[0])


if __name__ == "__main__":
    unittest.main()
