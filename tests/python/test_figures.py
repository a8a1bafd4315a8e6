"""Figures of several plans, their style, and the kinds that only figures have."""

import json
import math
import os
import pathlib
import subprocess

import numpy as np
import pytest

import renyi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as pyplot  # noqa: E402

from renyi.plotting import _page, _words  # noqa: E402

COMMAND = pathlib.Path(renyi.__file__).absolute().parents[2] / "bin" / "renyi"
SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
GAUSSIANS = [renyi.Gaussian(1.0), renyi.Gaussian(2.0)]


@pytest.fixture(params=[(6.4, 4.8), (3.2, 2.4)], ids=["full", "half"])
def ax(request):
    figure, axes = pyplot.subplots(figsize=request.param, layout="constrained")
    yield axes
    pyplot.close(figure)


def curves(ax):
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


def command(requests):
    """Returns the command's answers to requests."""
    runs = [{"steps": json.loads(plan.to_json())["steps"], **asked} for plan, asked in requests]
    lines = "".join(json.dumps(request) + "\n" for request in runs)
    done = subprocess.run([os.fspath(COMMAND), "batch"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def numbers(values):
    return np.array([float(value) for value in values])


def drawn(line):
    return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)


def commands_profile(at):
    (answer,) = command([(SGD, {"op": "profile", "epsilons": at.tolist()})])
    rows = answer["at_epsilons"]
    exact, bound = [row["exact"]["upper"] for row in rows], [row["renyi"]["delta"] for row in rows]
    return {"exact": numbers(exact), "Rényi bound": numbers(bound)}


def commands_steps(at, share=1.0):
    plans = [renyi.SampledGaussian(0.01, 1.1) * round(count / share) for count in at]
    rows = command([(plan, {"op": "epsilon", "delta": 1e-5}) for plan in plans])
    exact, bound = [row["exact"]["upper"] for row in rows], [row["renyi"]["epsilon"] for row in rows]
    return {"exact": numbers(exact), "Rényi bound": numbers(bound)}


def commands_rdp(at):
    (answer,) = command([(SGD, {"op": "rdp", "orders": at.tolist()})])
    return {"Rényi divergence, upper bound": numbers(answer["rdp"])}


def commands_outcomes(at):
    (answer,) = command([(renyi.Plan(GAUSSIANS[1]), {"op": "explain", "baseline": at.tolist()})])
    rows = answer["outcomes"]
    exact, bound = [row["exact"]["upper"] for row in rows], [row["renyi"]["upper"] for row in rows]
    return {"exact": numbers(exact), "Rényi bounds": numbers(bound)}


def commands_closed_form(at):
    (answer,) = command([(SGD, {"op": "rdp", "compare": "closed-form", "orders": at.tolist()})])
    return {"exact curve (upper bound)": numbers(answer["rdp"])}


COMPARED = {
    "profile": (lambda: renyi.plot_profile(SGD), commands_profile),
    "steps": (lambda: renyi.plot_steps(SGD), commands_steps),
    "epochs": (lambda: renyi.plot_epochs(SGD), lambda at: commands_steps(at, 0.01)),
    "rdp": (lambda: renyi.plot_rdp(SGD), commands_rdp),
    "outcomes": (lambda: renyi.plot_outcomes(GAUSSIANS[1]), commands_outcomes),
    "closed form": (lambda: renyi.plot_closed_form(SGD), commands_closed_form),
}


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("kind", COMPARED)
def test_what_is_drawn_is_what_the_command_answers(kind):
    draw, ask = COMPARED[kind]
    ax = draw()
    found = curves(ax)
    at = drawn(next(iter(found.values())))[0]
    assert at.size > 40 and (np.diff(at) > 0).all()
    for label, values in ask(at).items():
        x, y = drawn(found[label])
        assert np.array_equal(x, at)
        seen = np.isfinite(y)  # zeros and infinities have no place on the axes
        assert seen.mean() > 0.9
        np.testing.assert_allclose(y[seen], values[seen], rtol=1e-12)
    pyplot.close(ax.figure)


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
def test_the_command_compares_the_same_theorems():
    ax = renyi.plot_accountants(SGD)
    (answer,) = command([(SGD, {"op": "compare", "delta": 1e-5})])
    theirs = [float(row["epsilon"]) for row in answer["theorems"] if "epsilon" in row]
    assert sorted(theirs) == sorted(line.get_xdata()[0] for line in curves(ax).values())
    pyplot.close(ax.figure)


DRAWN = {
    "profile": lambda ax: renyi.plot_profile(GAUSSIANS, ax),
    "rdp": lambda ax: renyi.plot_rdp(GAUSSIANS, ax),
    "steps": lambda ax: renyi.plot_steps(GAUSSIANS, ax),
    "epochs": lambda ax: renyi.plot_epochs(SGD, ax),
    "outcomes": lambda ax: renyi.plot_outcomes(GAUSSIANS[0], ax),
    "tradeoff": lambda ax: renyi.plot_tradeoff(renyi.PureDp(1.0), ax),
    "accountants": lambda ax: renyi.plot_accountants(renyi.Laplace(2.0) * 20, ax),
    "closed form": lambda ax: renyi.plot_closed_form(renyi.SampledGaussian(0.01, 4.0) * 100, ax),
    "loss tails": lambda ax: renyi.plot_loss_tails(GAUSSIANS, ax),
    "density": lambda ax: renyi.plot_loss(GAUSSIANS[0], ax),
    "density, linear": lambda ax: renyi.plot_loss(GAUSSIANS[0], ax, delta=0.1),
    "heat map": lambda ax: renyi.plot_heat_map(
        renyi.epsilon(noise_multiplier=[1.0, 2.0, 4.0], steps=[[1], [10], [100]], delta=1e-5), ax=ax
    ),
}


def boxes(texts, renderer):
    shown = [text for text in texts if text.get_visible() and text.get_text()]
    return [text.get_window_extent(renderer) for text in shown]


@pytest.mark.parametrize("kind", DRAWN)
def test_nothing_overlaps_and_nothing_is_cut(ax, kind):
    assert DRAWN[kind](ax) is ax
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    for labels in (ax.get_xticklabels(), ax.get_yticklabels()):
        limits = ax.bbox.padded(2)
        found = [box for box in boxes(labels, renderer) if box.width and _beside(box, limits)]
        assert not any(one.overlaps(other) for i, one in enumerate(found) for other in found[:i])
    whole = ax.figure.bbox.padded(1)
    for box in boxes([ax.title, ax.xaxis.label, ax.yaxis.label], renderer):
        assert whole.x0 <= box.x0 and box.x1 <= whole.x1 and whole.y0 <= box.y0 and box.y1 <= whole.y1
    legend = ax.get_legend()
    if legend is not None:
        box, inside = legend.get_window_extent(renderer), ax.bbox.padded(1)
        assert inside.x0 <= box.x0 and box.x1 <= inside.x1 and inside.y0 <= box.y0 and box.y1 <= inside.y1


def _beside(box, limits):
    """Whether a tick's label belongs to the shown range; matplotlib keeps others beyond it."""
    middle_x, middle_y = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return limits.x0 <= middle_x <= limits.x1 or limits.y0 <= middle_y <= limits.y1


def test_several_runs_are_lines_that_differ_in_colour_and_dashes(ax):
    noises = [0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]
    renyi.plot_steps(ax=ax, noise_multiplier=noises, steps=10)
    drawn = curves(ax)
    assert list(drawn) == [f"σ = {noise:g}" for noise in noises]
    assert [line.get_color() for line in drawn.values()][:7] == list(_page.PALETTE)
    assert len({str(dashes) for dashes in _page.DASHES}) == 7  # in grey, the dashes tell lines apart
    looks = {(style["color"], str(style["linestyle"])) for style in map(_page.style, range(14))}
    assert len(looks) == 14
    for noise, line in zip(noises, drawn.values()):
        x = line.get_xdata()
        assert (np.diff(x) > 0).all()
        expected = renyi.epsilon(noise_multiplier=noise, steps=x.astype(int), delta=1e-5).exact.upper
        assert np.array_equal(line.get_ydata(), expected)


def test_labels_titles_and_scales(ax):
    renyi.plot_profile(GAUSSIANS, ax, labels=["a", "b"], title="mine", yscale="linear", want=("exact", "renyi"))
    assert list(curves(ax)) == ["a, exact", "a, Rényi bound", "b, exact", "b, Rényi bound"]
    assert ax.get_title() == "mine" and ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0
    ax.clear()
    renyi.plot_rdp(GAUSSIANS[0], ax, title="", xscale="linear", delta=None)
    assert ax.get_title() == "" and ax.get_xscale() == "linear"
    assert list(curves(ax)) == ["Rényi divergence, upper bound"]


def test_titles_are_whole(ax):
    plan = renyi.SampledGaussian(0.01, 1.1) * 1000 + renyi.Laplace(20) * 3 + renyi.RandomizedResponse(0.625) * 7
    renyi.plot_rdp(plan, ax)
    title = ax.get_title().replace("\N{NO-BREAK SPACE}", " ").replace("\n", " ")
    for part in ("1000 × sampled Gaussian, q = 0.01, σ = 1.1", "3 × Laplace, scale = 20", "truth probability = 0.625"):
        assert part in title


@pytest.mark.parametrize("delta, scale", [(0.1, "linear"), (1e-5, "log")])
def test_the_shaded_area_is_delta(delta, scale):
    ax = renyi.plot_loss(renyi.Gaussian(1.0), delta=delta)
    assert ax.get_yscale() == scale
    density, beyond, covered = (patch.get_data() for patch in ax.patches)
    assert np.sum(density.values * np.diff(density.edges)) == pytest.approx(1, abs=1e-4)
    assert np.sum(covered.values * np.diff(covered.edges)) == pytest.approx(delta, rel=0.02)
    limit = renyi.epsilon(renyi.Gaussian(1.0), delta=delta).exact.upper
    assert covered.edges[0] == limit
    tail = renyi.loss(renyi.Gaussian(1.0), at_least=[limit]).remove.at_least.upper[0]
    assert np.sum(beyond.values * np.diff(beyond.edges)) == pytest.approx(tail, rel=0.02)
    pyplot.close(ax.figure)


def test_atoms_of_the_loss_are_bars():
    ax = renyi.plot_loss(renyi.RandomizedResponse(0.75), delta=0.1)
    density = ax.patches[0].get_data()
    mass = density.values * np.diff(density.edges)
    assert sorted(mass[mass > 0]) == pytest.approx([0.25, 0.75])
    pyplot.close(ax.figure)


def test_a_density_that_is_not_known_is_refused():
    with pytest.raises(renyi.Unsupported):
        renyi.plot_loss(renyi.Zcdp(0.1))


def test_a_heat_map_of_a_sweep_is_that_of_its_answers(ax):
    sweep = renyi.sweep(noise_multiplier=[1.0, 2.0], steps=[1, 4, 9], delta=1e-5)
    renyi.plot_heat_map(sweep, ax=ax)
    (mesh,) = ax.collections
    expected = renyi.epsilon(noise_multiplier=[[1.0], [2.0]], steps=[1, 4, 9], delta=1e-5).upper
    assert np.array_equal(mesh.get_array().reshape(2, 3), expected)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("steps", "noise multiplier σ")
    assert ax.figure.axes[-1].get_ylabel() == r"ε at δ = $10^{-5}$"
    with pytest.raises(renyi.InvalidArgument, match="a sweep over two axes"):
        renyi.plot_heat_map(renyi.sweep(steps=[1, 2], noise_multiplier=1.0, delta=1e-5), ax=ax)


@pytest.mark.parametrize(
    "asked, label",
    [
        (dict(noise_multiplier=[1.0, 2.0], delta=[1e-5, 1e-6]), "ε"),
        (dict(op="delta", noise_multiplier=[1.0, 2.0], steps=[1, 2], epsilon=1.5), "δ at ε = 1.5"),
        (dict(op="calibrate", sampling_rate=[0.5, 0.6], steps=[1, 2], epsilon=1.5, delta=0.01),
         "σ at ε = 1.5 and δ = 0.01"),
        (dict(op="calibrate", epsilon=[1, 2], steps=[1, 2], delta=0.01), "σ at δ = 0.01"),
    ],
    ids=str,
)
def test_the_bar_of_a_sweep_names_what_all_rows_have(asked, label, ax):
    renyi.plot_heat_map(renyi.sweep(**asked), ax=ax)
    assert ax.figure.axes[-1].get_ylabel() == label


@pytest.mark.parametrize("levels", [None, [2.0, 30.0]])
def test_a_heat_map_is_darker_where_the_answers_are_larger(levels, ax):
    values = [[1.0, 2.0, 5.0], [10.0, 20.0, 50.0]]
    renyi.plot_heat_map(values, [1, 2, 3], [1, 2], ax, levels=levels)
    mesh = ax.collections[0]
    red, green, blue, _ = mesh.to_rgba(np.ravel(values)).T
    lightness = 0.3 * red + 0.59 * green + 0.11 * blue
    assert (np.diff(lightness) < 0).all() and lightness[0] > 0.7 and lightness[-1] < 0.3
    inks = [text.get_color() for text in ax.texts]  # upon the cells, or upon the levels
    assert inks[0] != inks[-1] and (levels or inks == ["black"] * 3 + ["white"] * 3)


def test_a_heat_map_shows_the_answers_where_they_belong(ax):
    noise, rates = [4.0, 1.0, 2.0], [[0.1], [0.01]]
    answers = renyi.epsilon(sampling_rate=rates, noise_multiplier=noise, steps=100, delta=1e-5)
    renyi.plot_heat_map(answers, ax=ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "4"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0.01", "0.1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("noise multiplier σ", "sampling rate q")
    shown = ax.collections[0].get_array().reshape(2, 3)
    assert np.array_equal(shown, answers.upper[::-1][:, [1, 2, 0]])
    for text, value in zip(ax.texts, shown.ravel()):
        assert float(text.get_text()) >= value


def test_what_is_no_figure_is_refused(ax):
    for name, ask in {
        "plans": lambda: renyi.plot_profile([], ax),
        "plan": lambda: renyi.plot_accountants(GAUSSIANS, ax),
        "labels": lambda: renyi.plot_profile(GAUSSIANS, ax, labels=["one"]),
        "xscale": lambda: renyi.plot_rdp(SGD, ax, xscale="logit"),
        "title": lambda: renyi.plot_rdp(SGD, ax, title=3),
        "noise_multiplier": lambda: renyi.plot_rdp(SGD, ax, noise_multiplier=3),
        "direction": lambda: renyi.plot_loss(SGD, ax, direction="up"),
        "answers": lambda: renyi.plot_heat_map([1.0, 2.0], ax=ax),
        "x": lambda: renyi.plot_heat_map([[1.0, 2.0]], ax=ax),
    }.items():
        with pytest.raises(renyi.InvalidArgument) as refused:
            ask()
        assert refused.value.field == name
    with pytest.raises(TypeError, match="sigma"):
        renyi.plot_rdp(sigma=3)


@pytest.mark.parametrize(
    "value, text",
    [(0.01, "0.01"), (1e4, "10000"), (1e5, "$10^{5}$"), (2.5e-6, r"$2.5\times10^{-6}$"), (0.0, "0"), (math.inf, "∞")],
)
def test_numbers_have_one_style(value, text):
    assert _words.number(value) == text


def test_bounds_are_rounded_outwards():
    assert _words.bound(1.00000001) == "1.00001" and _words.lower_bound(1.99999999) == "1.99999"
    assert _words.bound(1.00000001e-7) == r"$1.00001\times10^{-7}$"
