"""Figures are drawn as the engine computed them: the rules between points, and bounds that stay bounds as pictures."""

import json
import math
import sys

import numpy as np
import pytest

import renyi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as pyplot  # noqa: E402

from renyi import plot, plotting  # noqa: E402
from renyi.plot import _rule  # noqa: E402

SGD = renyi.SampledGaussian(0.01, 1.1) * 10_000
PLANS = {
    "sampled": SGD,
    "gaussian": renyi.Plan(renyi.Gaussian(0.5)),
    "laplace": renyi.Plan(renyi.Laplace(10.0)),
    "response": renyi.Plan(renyi.RandomizedResponse(0.75)),
}
KINDS = {
    "profile": plot.profile,
    "epsilon": plot.epsilon,
    "rdp": plot.rdp,
    "closed-form": plot.closed_form,
    "steps": plot.steps,
    "epochs": plot.epochs,
    "composition": plot.composition,
    "accountants": plot.accountants,
    "filter": plot.filter,
    "tradeoff": plot.tradeoff,
    "roc": plot.roc,
    "outcomes": plot.outcomes,
    "loss": plot.loss,
    "loss-tails": plot.loss_tails,
}


@pytest.fixture
def ax():
    figure, axes = pyplot.subplots()
    yield axes
    figure.canvas.draw()  # checks that it can be drawn
    pyplot.close(figure)


def figure_of(kind, plan, **asked):
    steps = json.loads(plan.to_json())["steps"]
    return renyi.ask({"op": "figure", "kind": kind, "steps": steps, **asked})["figure"]


def one(rule, x, y):
    return _rule.Curve(np.array(x, dtype=float), np.array(y, dtype=float), rule)


def at(curve, x):
    return _rule.value(curve, np.atleast_1d(np.asarray(x, dtype=float)))


STRAIGHT = {  # the coordinates in which each rule is a straight line
    "linear": (lambda x: x, lambda x, y: y),
    "linear-in-exp-x": (np.exp, lambda x, y: y),
    "linear-in-exp-y": (lambda x: x, lambda x, y: np.exp(y)),
    "log-moment": (lambda x: x, lambda x, y: (x - 1) * y),
    "linear-in-log-x": (np.log, lambda x, y: y),
    "linear-in-log-y": (lambda x: x, lambda x, y: np.log(y)),
    "log-log": (np.log, lambda x, y: np.log(y)),
    "log-log-complement": (lambda x: np.log1p(-x), lambda x, y: np.log1p(-y)),
}


@pytest.mark.parametrize("rule", STRAIGHT)
def test_a_rule_is_straight_in_its_coordinates(rule):
    across, up = STRAIGHT[rule]
    ends = (1.5, 4.0) if rule == "log-moment" else (0.125, 0.75)
    curve, x = one(rule, ends, [0.25, 0.5]), np.linspace(*ends, 7)
    y = at(curve, x)
    slopes = np.diff(up(x, y)) / np.diff(across(x))
    np.testing.assert_allclose(slopes, slopes[0], rtol=1e-12)
    assert y[0] == 0.25 and y[-1] == 0.5


def test_steps_jumps_and_what_is_unknown():
    assert at(one("next", [0, 1, 2], [3, 4, 5]), [0, 0.5, 1, 1.5]).tolist() == [3, 4, 4, 5]
    assert at(one("previous", [0, 1, 2], [5, 4, 3]), [0, 0.5, 1, 1.5, 2]).tolist() == [5, 5, 4, 4, 3]
    jump = one("linear", [0, 1, 1, 2], [5, 4, 2, 0])
    assert at(jump, [1.0]).tolist() == [4] and _rule.value(jump, np.array([1.0]), up=False).tolist() == [2]
    assert at(jump, [0.5, 1.5]).tolist() == [4.5, 1.0]
    gaps = at(one("linear", [0, 1, 2, 3], [1, np.inf, np.nan, 1]), [-1, 0, 0.5, 2.5, 3, 4])
    assert gaps.tolist()[1:3] == [1, math.inf] and np.isnan(gaps[[0, 3, 5]]).all() and gaps[4] == 1
    assert at(one("log-moment", [1, 3], [0.125, 1.5]), [1, 2]).tolist() == [0.125, 1.5]


def test_no_digits_are_lost_between_points_that_are_far_away():
    curve = one("linear-in-exp-x", [700.0, 701.0], [1e-300, 1e-310])
    assert 1e-310 < at(curve, 700.5)[0] < 1e-300
    shift = one("linear-in-exp-y", [1e-300, 2e-300], [800.0, 801.0])
    assert 800 < at(shift, 1.5e-300)[0] < 801


SCALES = [("linear", "linear"), ("linear", "log"), ("log", "linear"), ("log", "log")]


def interpolated(x, y, scales, at):
    """The heights in the frame of what matplotlib draws at these abscissae: straight lines on the scales of the axes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.interp(scales[0].place(at), scales[0].place(x), scales[1].place(y))


@pytest.mark.parametrize("bound", ["upper", "lower"])
@pytest.mark.parametrize("scales", SCALES, ids="-".join)
@pytest.mark.parametrize("rule", STRAIGHT)
def test_a_polygon_bounds_its_rule_and_is_close(rule, scales, bound):
    ends = {"log-moment": [1.0, 1.25, 3.0, 40.0]}.get(rule, [0.001, 0.02, 0.5, 0.95])
    for y in ([0.9, 0.5, 0.3, 1e-9], [1e-6, 0.02, 0.5, 0.96], [0.3, 0.3, 0.0, 0.0]):
        frames = [{"scale": scale, "range": span} for scale, span in zip(scales, ([ends[0], ends[-1]], [1e-3, 1.0]))]
        x_scale, y_scale = map(_rule.Scale.of, frames)
        curve = one(rule, ends, y)
        corners = _rule.polygon(curve, x_scale, y_scale, bound)
        assert len(corners[0]) < 1500
        spots = np.sort(np.random.default_rng(7).uniform(*x_scale.place(np.array(curve.x[[0, -1]])), 4000))
        spots = np.setdiff1d(np.clip(x_scale.back(spots), ends[0], ends[-1]), corners[0])
        over = interpolated(*corners, (x_scale, y_scale), spots) - y_scale.place(at(curve, spots))
        over *= 1 if bound == "upper" else -1
        assert over.min() > -1e-12
        assert np.quantile(over, 0.99) < 1 / 1900  # steps at kinks are narrow, and may be high


def truth(kind, plan, x):
    """What the engine says at these abscissae, by the name of a series: what an upper bound may not be below, and what
    a lower one may not be above."""
    if kind in ("profile", "epsilon"):
        found = renyi.profile(plan, **{"epsilons" if kind == "profile" else "deltas": x})
        return {"exact": (found.exact.lower, found.exact.upper), "Rényi": (found.renyi, found.renyi)}
    if kind == "rdp":
        values = renyi.rdp(plan, orders=x)
        return {"Rényi": (values, values)}
    if kind in ("tradeoff", "roc"):
        found = renyi.tradeoff(plan, type_1_errors=x)
        ends = found.type_2_error if kind == "tradeoff" else found.power
        return {"exact": (ends.lower, ends.upper)}
    found = renyi.loss(plan, at_least=x)
    ends = [(tails.lower, tails.upper) for tails in (found.remove.at_least, found.add.at_least)]
    return {"remove": ends[0], "add": ends[1], "both": ends[0]}


COMPARED = [("profile", "linear"), ("profile", "log"), ("epsilon", None), ("rdp", None), ("rdp", "linear"),
            ("tradeoff", None), ("roc", None), ("loss-tails", None)]


@pytest.mark.parametrize("kind, yscale", COMPARED, ids=str)
@pytest.mark.parametrize("name", PLANS)
def test_what_is_drawn_is_on_the_safe_side_of_the_engine(ax, kind, yscale, name):
    """At random abscissae, and next to the points, the drawn polygon itself is compared with further answers."""
    plan, random = PLANS[name], np.random.default_rng(11)
    KINDS[kind](plan, ax, yscale=yscale)
    figure = figure_of(kind, plan, **({} if yscale is None else {"y_scale": yscale}))
    scales = [_rule.Scale.of(figure[axis]) for axis in "xy"]
    label, compared = "", 0
    for line in ax.get_lines():
        x, y = line.get_xdata(), line.get_ydata()
        is_lower = line.get_label() == "_" or kind == "tradeoff"  # lower ends follow the upper ones
        label = label if line.get_label() == "_" else line.get_label()
        if len(x) < 3 or "guess" in label:
            continue
        first, last = (scales[0].back(np.array([place]))[0] for place in (1e-6, 1 - 1e-6))
        span = np.array([max(x[0], first), min(x[-1], last)])
        near = random.choice(x[(x > span[0]) & (x < span[1])], 20)
        spots = [scales[0].back(random.uniform(*scales[0].place(span), 60)), near * (1 + 1e-7), near * (1 - 1e-7)]
        spots = np.setdiff1d(np.concatenate(spots), x)
        spots = spots[(spots > span[0]) & (spots < span[1])]
        (ends,) = [ends for key, ends in truth(kind, plan, spots).items() if label.startswith(key)]
        side, places = (-1, scales[1].place(ends[1])) if is_lower else (1, scales[1].place(ends[0]))
        seen = (places > 0) & (places < 1)
        over = side * (interpolated(x, y, scales, spots) - places)[seen]
        assert over.min(initial=0) > -1e-10, (label, spots[seen][over.argmin()])
        compared += seen.sum()
    assert compared > 60


@pytest.mark.parametrize("name", PLANS)
def test_bad_outcomes_are_between_the_drawn_ends(ax, name):
    plot.outcomes(PLANS[name], ax)
    upper, lower = [line for line in ax.get_lines() if line.get_color() == "#0072B2"]
    spots = np.sort(np.concatenate([np.geomspace(2e-6, 0.89, 40), [0.2499999, 0.2500001, 0.7499999, 0.7500001]]))
    found = renyi.explain(PLANS[name], baseline=spots, orders=[2.0], factors=[2.0]).outcomes
    ends = {end: np.array([getattr(row.exact, end) for row in found]) for end in ("lower", "upper")}
    for line, side, inner in ((upper, 1, ends["upper"]), (lower, -1, ends["lower"])):
        drawn = np.exp(np.interp(np.log(spots), np.log(line.get_xdata()), np.log(line.get_ydata())))
        assert (side * (drawn / inner - 1) > -1e-9).all()


def test_the_pictures_that_were_wrong():
    """The kink of a bad outcome between two samples, and the end of a Laplace profile."""
    ax = plot.outcomes(PLANS["response"])
    lower = [line for line in ax.get_lines() if line.get_color() == "#0072B2"][1]
    drawn = np.exp(np.interp(np.log(0.75), np.log(lower.get_xdata()), np.log(lower.get_ydata())))
    assert drawn <= 0.25 and drawn == pytest.approx(0.25, rel=0.02)  # 0.30 was drawn
    pyplot.close(ax.figure)
    ax = plot.profile(PLANS["laplace"])
    line = ax.get_lines()[0]
    drawn = np.exp(np.interp(0.09975, line.get_xdata(), np.log(line.get_ydata())))
    assert 1.2492e-4 <= drawn < 1.4e-4  # 1.6e-8 was drawn
    pyplot.close(ax.figure)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_the_figure_of_the_engine(ax, kind):
    assert KINDS[kind](SGD, ax, quality="coarse") is ax
    figure = figure_of(kind, SGD, quality="coarse")
    assert tuple(ax.get_xlim())[0] == figure["x"]["range"][0] and ax.get_xscale() == figure["x"]["scale"]
    assert list(ax.get_ylim()) == figure["y"]["range"] and ax.get_yscale() == figure["y"]["scale"]
    assert ax.get_title().replace("\N{NO-BREAK SPACE}", " ").replace("\n", " ").startswith(figure["title"])
    assert ax.get_xlabel().replace("\n", " ") == figure["x"]["label"]
    names = [one["name"] for one in figure["series"] if one["name"]] + [one["text"] for one in figure["marks"]]
    assert list(ax.get_legend_handles_labels()[1]) == names


def test_every_kind_has_a_function():
    with pytest.raises(renyi.InvalidArgument) as refused:
        renyi.ask({"op": "figure", "kind": "?", "steps": []})
    for kind in refused.value.allowed.removeprefix("one of ").split(", "):
        assert kind.replace("-", "_") in plot.__all__


def test_a_figure_that_was_stored_is_drawn(ax):
    figure = figure_of("profile", SGD, range=[1, 2])
    assert plot.draw(json.loads(json.dumps(figure)), ax) is ax and ax.get_xlim() == (1, 2)


def test_marks(ax):
    plot.profile(SGD, ax, delta=1e-5)  # plot_profile(delta=) was a TypeError
    (mark,) = [line for line in ax.get_lines() if "rounded up" in line.get_label()]
    found = renyi.epsilon(SGD, delta=1e-5)
    assert mark.get_xdata()[0] >= found.upper and mark.get_ydata()[0] == 1e-5
    ax.clear()
    assert found.plot(ax) is ax and any(line.get_label() == mark.get_label() for line in ax.get_lines())
    ax.clear()
    renyi.delta(SGD, epsilon=4.0).plot(ax, linewidth=3)
    assert any(line.get_label().startswith("ε = 4 at") and line.get_xdata()[0] == 4 for line in ax.get_lines())
    assert ax.get_lines()[0].get_linewidth() == 3


def test_marks_as_they_were_given_before(ax):
    with pytest.warns(DeprecationWarning, match="write delta= or epsilon="):
        renyi.plot_profile(SGD, ax, mark=(5.2, 1e-5))
    assert [line.get_ydata()[0] for line in ax.get_lines() if "rounded up" in line.get_label()] == [1e-5]


def dots(ax):
    """The points of reports."""
    return [line for line in ax.get_lines() if line.get_label() == "_points"]


def test_points_of_reports_lie_on_their_figures(ax):
    report = renyi.profile(SGD, deltas=[1e-8, 1e-4])
    report.plot(ax)
    exact, bound = dots(ax)
    assert exact.get_ydata().tolist() == [1e-8, 1e-4] and np.array_equal(exact.get_xdata(), report.exact.upper)
    assert np.array_equal(bound.get_xdata(), report.renyi)
    assert ax.get_xlim() == (report.exact.upper.min(), report.renyi.max())
    ax.clear()
    report = renyi.tradeoff(renyi.Gaussian(1.0), type_1_errors=[0.5, 0.123456])
    report.plot(ax)
    assert np.array_equal(dots(ax)[0].get_ydata(), report.type_2_error.lower)
    ax.clear()
    report = renyi.loss(SGD, at_least=[0.0, 0.5], direction="add")
    report.plot(ax)
    assert np.array_equal(dots(ax)[0].get_ydata(), report.add.at_least.upper)
    ax.clear()
    renyi.compare(SGD, delta=1e-6).plot(ax)
    assert "10⁻⁶" in ax.get_title()


def test_infinity_is_left_out(ax):
    renyi.profile(renyi.Gaussian(1.0), deltas=[0.0, 1e-4]).plot(ax)
    assert np.isnan(dots(ax)[0].get_xdata()).tolist() == [True, False]


def test_a_curve_is_asked_for_as_its_points_were(ax):
    """A report by the classical conversion lies on the classical curve."""
    report = renyi.profile(SGD, epsilons=[5.0, 6.0], want="renyi", conversion="classical", orders=[3.0, 5.0])
    report.plot(ax)
    (line,) = [line for line in ax.get_lines() if line not in dots(ax)]
    drawn = np.exp(np.interp(report.at, line.get_xdata(), np.log(line.get_ydata())))
    np.testing.assert_allclose(drawn, report.renyi, rtol=1e-3)
    assert (drawn >= report.renyi).all()
    with pytest.raises(renyi.InvalidArgument, match="asked for alike"):
        plot.profile([report, renyi.profile(SGD)], ax)
    with pytest.raises(renyi.InvalidArgument, match="the figure of this report is profile"):
        plot.tradeoff(report, ax)


def test_the_names_before_stay():
    for name in plotting.__all__:
        assert getattr(renyi, name) is getattr(plot, name.removeprefix("plot_"))


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for name in set(plot.__all__) - {"style", "draw"}:
        what = [[1.0]] if name == "heat_map" else renyi.SampledGaussian(0.1, 2.0)
        given = {"x": [1.0], "y": [1.0]} if name == "heat_map" else {}
        with pytest.raises(ImportError, match="matplotlib"):
            getattr(plot, name)(what, **given)
