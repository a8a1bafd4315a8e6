"""docs/benchmarks.md is what its generator makes of bench/results; and a slow or unsound figure is called so."""

import json
import pathlib
import sys

import pytest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH / "report"), str(BENCH / "peers")]

import criteria  # noqa: E402
import judge  # noqa: E402
import noise  # noqa: E402
import noise_timing  # noqa: E402
import questions  # noqa: E402
import report  # noqa: E402
import words  # noqa: E402


def test_the_document_is_what_the_results_say():
    assert report.DOCUMENT.read_text(encoding="utf-8") == report.document(BENCH / "results")


def test_the_results_are_plain_json_and_name_no_place():
    for path in (BENCH / "results").glob("*.json"):
        text = path.read_text(encoding="utf-8")
        json.loads(text, parse_constant=lambda word: pytest.fail(f"{path.name}: {word}"))
        assert "/home" not in text and "/tmp" not in text and "host" not in text, path.name


@pytest.mark.parametrize(
    "value, place",
    [(1.9, "below"), (2.0, "within"), (2.1, "within"), (2.2, "above"), (float("inf"), "infinite"), (float("nan"), "not a number")],
)
def test_figures_are_judged_by_the_interval(value, place):
    assert judge.verdict(value, 2.0, 2.1)["place"] == place


def test_a_figure_below_the_truth_is_said_loudly():
    assert "no upper bound" in words.place(judge.verdict(1.9, 2.0, 2.1), 2.1)
    many = judge.verdicts([1.0, 2.05, float("nan")], [[2.0, 2.1]] * 3)
    assert (many["below"], many["within"], many["not a number"]) == (1, 1, 1)
    assert many["largest_below_relative"] == pytest.approx(1 / 2.1)
    assert "**1 below**" in words.places(many) and "**1 not a number**" in words.places(many)


def test_a_promise_can_be_missed():
    assert criteria.Criterion("", 999, 1000, at_least=True).verdict == "**MISSED**"
    assert criteria.Criterion("", 1000, 1000, at_least=True).verdict == "met"
    assert criteria.Criterion("", 11, 10).verdict == "**MISSED**"
    assert criteria.Criterion("", float("nan"), 10).verdict == "**MISSED**"
    assert criteria.Criterion("", None, 10).verdict == "not measured"


def test_ratios_are_of_the_same_kind_of_answer():
    peers = {"ours": {"exact": {"seconds": 2.0}}, "rows": [{"task": "exact", "peer": "prv", "method": "PRV", "against": "exact"}]}
    row = peers["rows"][0]
    assert criteria.against(peers, "exact", "prv", "PRV") is None  # it failed
    row["more_than_seconds"] = 300
    assert criteria.against(peers, "exact", "prv", "PRV") == 150
    row["seconds"] = 10.0
    assert criteria.against(peers, "exact", "prv", "PRV") == 5


def test_the_questions_are_those_of_the_other_side():
    assert len(questions.schedule()) == 200 and questions.schedule()[-1] == pytest.approx((0.05, 4.0, 50))
    assert len(questions.sweep()) == 1200 and questions.sweep()[-1] == pytest.approx((0.1, 8.0, 100_000))
    chosen, part = questions.part_of_sweep()
    assert len(set(chosen)) == 12 and {count for _, _, count in part} == {1_000, 10_000, 100_000}
    assert min(part)[0] < 2e-4 and max(part)[0] > 0.05
    noises = [noise for _, noise, _ in part]
    assert min(noises) < 1.1 and max(noises) > 6


def noise_results(exp, p_value):
    laws = [
        {"law": "gaussian", "number": "double", "scale": "2^10", "exp": exp, "limit_exp": 6},
        {"law": "gaussian", "number": "double", "scale": "2^20", "exp": 1.0, "limit_exp": 6},
        {"law": "laplace", "number": "double", "scale": "2^20", "exp": 100.0},
    ]
    memory = {"in_parts": {"gaussian": 10_000, "laplace": 15_000}, "at_once": {"gaussian": 90_000, "laplace": 90_000}}
    test = {"mann_whitney_p": p_value, "kolmogorov_smirnov_p": 0.5}
    times = [{"rank_correlation": -0.02, "tests": [test]}, {"rank_correlation": 0.001, "tests": [test]}]
    return {"laws": laws, "memory_kilobytes": memory}, times


def test_the_worst_noise_decides():
    ours, times = noise_results(7.0, 1e-3)
    cost, memory = noise.criteria(ours)
    assert (cost["measured"], cost["limit"]) == (7.0, 6) and memory["measured"] == pytest.approx(15.36)
    correlation, p_value = noise_timing.criteria(times)
    assert correlation["measured"] == 0.02 and p_value["measured"] == pytest.approx(4e-3)
    verdicts = [row.verdict for row in criteria.of_file({"criteria": [cost, memory, correlation, p_value]})]
    assert verdicts == ["**MISSED**", "met", "**MISSED**", "**MISSED**"]


def test_a_sampler_that_is_not_there_is_a_row_that_says_so(tmp_path):
    versions, rows = noise.ask(tmp_path, "opendp", 1)
    assert versions == {} and rows == [{"peer": "opendp", "error": "could not be installed"}]
    assert noise.peer_rows({}, rows)[0][-3] == "**could not be installed**"
