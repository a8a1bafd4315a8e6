"""The look of figures: several runs, styles, sizes, light and dark paper, and heat maps."""

import numpy as np
import pytest

import renyi

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as pyplot  # noqa: E402

from renyi import plot  # noqa: E402
from renyi.plot import _look  # noqa: E402

SGD = renyi.SampledGaussian(0.01, 1.1) * 1000
GAUSSIANS = [renyi.Gaussian(1.0), renyi.Gaussian(2.0)]


@pytest.fixture(params=["full", "column"])
def ax(request):
    with matplotlib.rc_context(plot.style("column") if request.param == "column" else {}):
        figure, axes = pyplot.subplots(layout="constrained")
        yield axes
        pyplot.close(figure)


def curves(ax):
    return {line.get_label(): line for line in ax.get_lines() if not line.get_label().startswith("_")}


DRAWN = {
    "profile": lambda ax: plot.profile(GAUSSIANS, ax),
    "epsilon": lambda ax: plot.epsilon(SGD, ax),
    "rdp": lambda ax: plot.rdp(GAUSSIANS, ax),
    "steps": lambda ax: plot.steps(GAUSSIANS, ax, quality="coarse"),
    "epochs": lambda ax: plot.epochs(SGD, ax, quality="coarse"),
    "composition": lambda ax: plot.composition(renyi.Laplace(20.0) * 100, ax, quality="coarse"),
    "outcomes": lambda ax: plot.outcomes(GAUSSIANS[0], ax),
    "tradeoff": lambda ax: plot.tradeoff(renyi.PureDp(1.0), ax),
    "roc": lambda ax: plot.roc(renyi.PureDp(1.0), ax),
    "accountants": lambda ax: plot.accountants(renyi.Laplace(2.0) * 20, ax),
    "filter": lambda ax: plot.filter(renyi.Gaussian(20.0) * 100, ax, quality="coarse"),
    "closed form": lambda ax: plot.closed_form(renyi.SampledGaussian(0.01, 4.0) * 100, ax),
    "loss tails": lambda ax: plot.loss_tails(GAUSSIANS[0], ax),
    "density": lambda ax: plot.loss(GAUSSIANS[0], ax),
    "masses": lambda ax: plot.loss(renyi.Laplace(2.0), ax, delta=0.1),
    "heat map": lambda ax: plot.heat_map(
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


def test_axes_keep_their_share_of_a_column():
    """Titles, labels and notes of a figure of 3.3 by 2.4 inches leave most of it to the axes."""
    with matplotlib.rc_context(plot.style("column")):
        for kind in ("profile", "tradeoff", "accountants", "filter", "masses"):
            figure, ax = pyplot.subplots(layout="constrained")
            DRAWN[kind](ax).set_title("")
            figure.draw_without_rendering()
            box = ax.get_position()
            assert box.width > 0.55 and box.height > 0.55, (kind, box)
            pyplot.close(figure)


def contrast(one, other):
    def lightness(colour):
        parts = np.array(matplotlib.colors.to_rgb(colour))
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    low, high = sorted((lightness(one), lightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_lines_can_be_told_from_light_and_dark_paper_and_from_each_other():
    for light, dark, _ in (*_look.RUNS, *_look.ROLES.values()):
        assert contrast(light, "white") >= 2 and contrast(dark, "black") >= 4.5
    assert len({str(dashes) for *_, dashes in _look.RUNS}) == 8  # in grey, the dashes tell lines apart


def test_several_runs_are_lines_that_differ_in_colour_and_dashes(ax):
    noises = [0.8, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]
    plot.steps(ax=ax, noise_multiplier=noises, steps=10, range=(1, 20))
    drawn = curves(ax)
    assert list(drawn) == [f"σ = {noise:g}" for noise in noises]
    assert [line.get_color() for line in drawn.values()] == [light for light, _, _ in _look.RUNS]
    for noise, line in zip(noises, drawn.values()):
        x, y = line.get_xdata(), line.get_ydata()
        at = np.array([1, 7, 20])
        expected = renyi.epsilon(noise_multiplier=noise, steps=at, delta=1e-5).exact.upper
        found = [y[x == count].min() for count in at]
        assert (found >= expected).all() and np.allclose(found, expected, rtol=0.02)


def test_dark_paper_has_lighter_colours():
    with matplotlib.rc_context(matplotlib.style.library["dark_background"]):
        ax = plot.rdp(GAUSSIANS)
    assert [line.get_color() for line in curves(ax).values()][:2] == [dark for _, dark, _ in _look.RUNS[:2]]
    assert ax.get_legend().get_texts()[0].get_color() == "white"
    pyplot.close(ax.figure)


def test_a_figure_with_dashed_series_has_dashes_for_them_alone(ax):
    plot.closed_form(ax=ax, sampling_rate=[0.001, 0.01], noise_multiplier=4.0)
    exact, closed = [[line for line in ax.get_lines() if line.is_dashed() is dashed] for dashed in (False, True)]
    assert [line.get_color() for line in exact] == [line.get_color() for line in closed]


def test_labels_titles_scales_and_properties_of_lines(ax):
    plot.profile(GAUSSIANS, ax, labels=["a", "b"], title="mine", yscale="linear", range=(0.5, 2), lw=3, alpha=0.5)
    assert list(curves(ax)) == ["a", "b"] and ax.get_title() == "mine" and ax.get_xlim() == (0.5, 2)
    assert ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0
    assert {(line.get_linewidth(), line.get_alpha()) for line in curves(ax).values()} == {(3, 0.5)}
    ax.clear()
    plot.rdp(GAUSSIANS[0], ax, title="", xscale="linear")
    assert ax.get_title() == "" and ax.get_xscale() == "linear"


def test_a_style_has_the_sizes_of_the_command():
    with matplotlib.rc_context(plot.style((3.0, 2.0), font_size=7, font="serif", dpi=200)):
        figure = plot.tradeoff(GAUSSIANS[0]).figure
    assert figure.get_size_inches().tolist() == [3, 2]
    assert plot.style("slide")["figure.figsize"] == (10.0, 5.6) and plot.style()["font.size"] == 8
    pyplot.close(figure)
    with pytest.raises(renyi.InvalidArgument) as refused:
        plot.style("poster")
    assert refused.value.field == "size"


def test_the_sizes_of_a_run_are_a_run(ax):
    sizes = dict(dataset_size=60_000, batch_size=256, epochs=[1, 10], noise_multiplier=1.1)
    plot.epochs(ax=ax, **sizes, quality="coarse")
    assert list(curves(ax)) == ["epochs = 1", "epochs = 10"]
    assert ax.get_xlim()[1] == pytest.approx(10, rel=0.01)


def test_a_heat_map_of_a_sweep_is_that_of_its_answers(ax):
    sweep = renyi.sweep(noise_multiplier=[1.0, 2.0], steps=[1, 4, 9], delta=1e-5)
    plot.heat_map(sweep, ax=ax)
    (mesh,) = ax.collections
    expected = renyi.epsilon(noise_multiplier=[[1.0], [2.0]], steps=[1, 4, 9], delta=1e-5).upper
    assert np.array_equal(mesh.get_array().reshape(2, 3), expected)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("steps", "noise multiplier σ")
    assert ax.figure.axes[-1].get_ylabel() == r"ε at δ = $10^{-5}$"
    with pytest.raises(renyi.InvalidArgument, match="a sweep over two axes"):
        plot.heat_map(renyi.sweep(steps=[1, 2], noise_multiplier=1.0, delta=1e-5), ax=ax)


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
    plot.heat_map(renyi.sweep(**asked), ax=ax)
    assert ax.figure.axes[-1].get_ylabel() == label


@pytest.mark.parametrize("levels", [None, [2.0, 30.0]])
def test_a_heat_map_is_darker_where_the_answers_are_larger(levels, ax):
    values = [[1.0, 2.0, 5.0], [10.0, 20.0, 50.0]]
    plot.heat_map(values, [1, 2, 3], [1, 2], ax, levels=levels)
    mesh = ax.collections[0]
    red, green, blue, _ = mesh.to_rgba(np.ravel(values)).T
    lightness = 0.3 * red + 0.59 * green + 0.11 * blue
    assert (np.diff(lightness) < 0).all() and lightness[0] > 0.7 and lightness[-1] < 0.3
    inks = [text.get_color() for text in ax.texts]  # upon the cells, or upon the levels
    assert inks[0] != inks[-1] and (levels or inks == ["black"] * 3 + ["white"] * 3)


def test_a_heat_map_shows_the_answers_where_they_belong(ax):
    noise, rates = [4.0, 1.0, 2.0], [[0.1], [0.01]]
    answers = renyi.epsilon(sampling_rate=rates, noise_multiplier=noise, steps=100, delta=1e-5)
    plot.heat_map(answers, ax=ax)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1", "2", "4"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0.01", "0.1"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("noise multiplier σ", "sampling rate q")
    shown = ax.collections[0].get_array().reshape(2, 3)
    assert np.array_equal(shown, answers.upper[::-1][:, [1, 2, 0]])
    for text, value in zip(ax.texts, shown.ravel()):
        assert float(text.get_text()) >= value


def test_what_is_no_figure_is_refused(ax):
    for name, ask in {
        "plans": lambda: plot.profile([], ax),
        "plan": lambda: plot.profile("plan", ax),
        "runs": lambda: plot.accountants(GAUSSIANS, ax),
        "labels": lambda: plot.profile(GAUSSIANS, ax, labels=["one"]),
        "xscale": lambda: plot.rdp(SGD, ax, xscale="logit"),
        "range": lambda: plot.rdp(SGD, ax, range=(5, 2)),
        "title": lambda: plot.rdp(SGD, ax, title=3),
        "noise_multiplier": lambda: plot.rdp(SGD, ax, noise_multiplier=3),
        "direction": lambda: plot.loss(SGD, ax, direction="up"),
        "delta": lambda: plot.steps(SGD, ax, delta=-1.0),
        "answers": lambda: plot.heat_map([1.0, 2.0], ax=ax),
        "x": lambda: plot.heat_map([[1.0, 2.0]], ax=ax),
    }.items():
        with pytest.raises((renyi.InvalidArgument, renyi.Unsupported)) as refused:
            ask()
        assert refused.value.field == name
    with pytest.raises(renyi.InvalidArgument, match="9 plans"):
        plot.steps(noise_multiplier=list(range(1, 10)), ax=ax)
    for unknown in ("sigma", "label"):
        with pytest.raises(TypeError, match=unknown):
            plot.rdp(SGD, ax, **{unknown: 3})
    assert not ax.get_lines()


def test_a_density_that_is_not_known_is_refused():
    with pytest.raises(renyi.Unsupported):
        plot.loss(renyi.Zcdp(0.1))


@pytest.mark.parametrize(
    "value, text", [(0.01, "0.01"), (1e4, "10000"), (1e5, "$10^{5}$"), (2.5e-6, r"$2.5\times10^{-6}$"), (0.0, "0")]
)
def test_numbers_have_one_style(value, text):
    assert _look.number(value) == text
