"""Records of other tools that `renyi convert` reads: histories of Opacus, events of dp_accounting."""

import renyi

FILES = ("records/*.jsonl",)
LINES = True
HIDDEN = rb"(?<=[0-9])[eE](?=[-+0-9])"
RELATIONS = ("add-or-remove-one", "replace-one", "zero-out")
OPACUS = (
    '[[1.1, 0.01, 600]]',
    '{"history": [[1.1, 0.01, 600], [1.3, 0.01, 400]], "mechanism": "rdp"}',
    '{"history": [[4.0, 1.0, 3], [0.8, 0.0625, 20]], "mechanism": "prv"}',
    '{"history": [[2.0, 0.001, 5000]], "mechanism": "gdp"}',
    '{"history": [[2.0, 0.001, 5000]], "mechanism": "renyi"}',
)
M = '"dp_accounting.dp_event", '
GAUSS = f'[{M}"GaussianDpEvent", 2.5]'
EVENTS = (
    f'[{M}"NonPrivateDpEvent"]', GAUSS, f'[{M}"LaplaceDpEvent", 20.0]', f'[{M}"DiscreteLaplaceDpEvent", 0.25, 3]',
    f'[{M}"DiscreteGaussianDpEvent", 4.5, 2, 1]', f'[{M}"DiscreteGaussianDpEvent", 4.5, 2]',
    f'[{M}"ExponentialMechanismDpEvent", 0.5]', f'[{M}"PermuteAndFlipDpEvent", 0.5]',
    f'[{M}"RandomizedResponseDpEvent", 0.5, 4]', f'[{M}"ZCDpEvent", 0.125, 0.25]', f'[{M}"EpsilonDeltaDpEvent", 0.5, 1e-06]',
    f'[{M}"EpsilonDeltaDpEvent", 0.5, 0]', f'[{M}"SingleEpochTreeAggregationDpEvent", 3.5, [10, 200]]',
    f'[{M}"ComposedDpEvent", [{GAUSS}, [{M}"LaplaceDpEvent", 20.0]]]',
    f'[{M}"SelfComposedDpEvent", [{M}"SelfComposedDpEvent", {GAUSS}, 7], 30]',
    f'[{M}"RepeatAndSelectDpEvent", {GAUSS}, 20, 1]', f'[{M}"RepeatAndSelectDpEvent", {GAUSS}, 20, 0]',
    f'[{M}"RepeatAndSelectDpEvent", {GAUSS}, 20, "inf"]', f'[{M}"RepeatAndSelectDpEvent", {GAUSS}, 20, 2.5]',
    f'[{M}"PoissonSampledDpEvent", 0.01, [{M}"ComposedDpEvent", [{GAUSS}, [{M}"GaussianDpEvent", 4]]]]',
    f'[{M}"PoissonSampledDpEvent", 0.01, [{M}"LaplaceDpEvent", 2.0]]',
    f'[{M}"SampledWithoutReplacementDpEvent", 60000, 256, {GAUSS}]',
    f'[{M}"SampledWithReplacementDpEvent", 60000, 256, {GAUSS}]',
    f'[{M}"TruncatedSubsampledGaussianDpEvent", 60000, 0.01, 700, 1.5]',
    '{"module_name": "dp_accounting.dp_event", "class_name": "PoissonSampledDpEvent", "sampling_probability": 0.01, "event": '
    '{"module_name": "dp_accounting.dp_event", "class_name": "GaussianDpEvent", "noise_multiplier": 1.1}}',
)


def make(folder):
    (folder / "records").mkdir()
    (folder / "records/opacus.jsonl").write_text("\n".join(OPACUS) + "\n")
    (folder / "records/dp_accounting.jsonl").write_text("\n".join(EVENTS) + "\n")


def meaning(text):
    """The plans under each relation; what is refused under one is refused by every version, or analysed by a later one."""
    found = {relation: _converted(text, relation) for relation in RELATIONS}
    if not any(found.values()):
        raise renyi.InvalidArgument("record", text, "a record that is read")
    return found


def _converted(text, relation):
    try:
        return renyi.convert(text, neighbors=relation).to_json()
    except renyi.Error:
        return None
