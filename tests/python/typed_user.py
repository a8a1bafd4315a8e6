"""A program of a user's, for mypy --strict and pyright: what the questions answer is known by type, scalars and arrays apart.

Nobody runs it: the annotations fail the check where a type is another.
"""

from __future__ import annotations

from typing import Any, Optional

import matplotlib.axes
import numpy as np
from numpy.typing import NDArray

import renyi

sigmas = np.linspace(1.0, 2.0, 5)
plan = renyi.SampledGaussian(0.01, np.float32(1.1)) * np.int64(1000) + renyi.Laplace(np.float32(20)) * 3

# One number each: one answer.
one: renyi.Epsilon = renyi.epsilon(noise_multiplier=1.1, steps=np.int64(3), delta=np.float32(1e-5))
other: renyi.Delta = renyi.delta(plan, epsilon=1, orders=np.array([2.0, 8.0]), want=["renyi"])
bound: float = renyi.rdp(noise_multiplier=2, orders=2)
text: str = f"{one:.3f}"
fits: bool = one < 3 and one <= one
lower: float = one.exact.remove.lower

# An array anywhere: an array of them.
many: renyi.EpsilonArray = renyi.epsilon(noise_multiplier=sigmas, delta=1e-5)
by_list: renyi.EpsilonArray = renyi.epsilon(noise_multiplier=[1.0, 2.0], delta=1e-5)
by_range: renyi.EpsilonArray = renyi.epsilon(noise_multiplier=range(1, 3), delta=1e-5)
by_steps: renyi.EpsilonArray = renyi.epsilon(noise_multiplier=1.1, steps=np.arange(1, 4), delta=1e-5)
by_plans: renyi.EpsilonArray = renyi.epsilon([renyi.Gaussian(1), renyi.Laplace(2) * 3], delta=1e-5)
deltas: renyi.DeltaArray = renyi.delta(noise_multiplier=sigmas, epsilon=1.0)
curve: NDArray[np.float64] = renyi.rdp(noise_multiplier=2, orders=np.linspace(2, 3, 4))
upper: NDArray[np.float64] = many.exact.upper.round(3)

# Reports.
noise: renyi.Calibration = renyi.calibrate(sampling_rate=0.01, steps=10_000, epsilon=3, delta=1e-5)
noises: renyi.Grid[renyi.Calibration] = renyi.calibrate(sampling_rate=0.01, steps=[10, 20], epsilon=3, delta=1e-5)
scale: renyi.Calibration = renyi.calibrate(plan, solve="scale", step=(1,), epsilon=6, delta=1e-5)
rho: Optional[renyi.Relations] = renyi.relate(renyi.Gaussian(2), to="zcdp")
power: NDArray[np.float64] = renyi.tradeoff(plan, type_1_errors=[0.05]).power.upper
half_width: NDArray[np.float64] = renyi.accuracy(renyi.Laplace(2.0), levels=[0.9]).levels.half_width.upper
profiles: renyi.Grid[renyi.Profile] = renyi.profile(noise_multiplier=sigmas, epsilons=np.array([1.0]))
points: NDArray[np.float64] = renyi.profile(plan, epsilons=range(3)).upper
compared: renyi.Comparison = renyi.compare(plan, delta=1e-5)
explained: renyi.Grid[renyi.Explanation] = renyi.explain(noise_multiplier=1, delta=[1e-5, 1e-6])
stated: str = renyi.report(plan, delta=1e-5, dataset_size=60_000).markdown
statements: renyi.Grid[renyi.Statement] = renyi.report(plan, delta=[1e-5, 1e-6])
losses: renyi.Loss = renyi.loss(plan, at_least=0.5)
apart: NDArray[np.float64] = renyi.divergence([0.5, 0.5], [0.4, 0.6], orders=[2]).renyi.p_q.upper

# Certificates, sweeps and requests.
proof: renyi.Certificate = renyi.certify(plan, delta=1e-5, order=8)
proofs: renyi.Grid[renyi.Certificate] = renyi.certify(noise_multiplier=sigmas, epsilon=1)
claim: renyi.Claim = proof["epsilon", "remove"]
ends: tuple[float, float] = (claim.lower, claim.upper)
verdict: renyi.Verdict = renyi.verify(proof)
faults: tuple[str, ...] = verdict.faults if not verdict else ()
swept: renyi.Sweep = renyi.sweep(noise_multiplier=sigmas, steps=[10, 20], delta=1e-5)
points_swept: NDArray[Any] = swept["exact_upper"]
asked: dict[str, Any] = renyi.ask({"op": "mechanisms"})

# Answers as plain values.
plain: dict[str, Any] = one.to_dict()
line: str = compared.to_json() + noises.to_json() + many.to_json() + swept.to_csv()
rounded: float = round(one, 3)

# An accountant, and custom mechanisms.
account = renyi.Accountant(tolerance=1e-4)
account.step(noise_multiplier=np.float32(1.0), sampling_rate=0.1)
account.step(renyi.custom_curve(lambda order: order / 200), count=np.int64(3))
now: renyi.Epsilon = account.epsilon(1e-5)
later: renyi.EpsilonArray = account.epsilon(np.array([1e-5, 1e-6]))
total = sum([renyi.Gaussian(1), renyi.Gaussian(2)], renyi.Plan())

# Every kind has a class; tables are rows, or numbers where there is one column.
known: renyi.Rdp = renyi.Rdp(points=[[2, 0.5], [8, 1.0]])
known_order: float = known.order
column: list[list[float]] = renyi.ToeplitzMatrix(1, 100, [1.0, 0.5]).coefficients
mixed: renyi.Plan = renyi.Pairs(np.array([[0.5, 0.5], [0.5, 0.5]])) * 3 + renyi.NoOp()
parameters: dict[str, float] = renyi.mechanism("gdp", mu=1).parameters

# Samples, relations and units.
sample: renyi.Sampled = renyi.Laplace(2).sampled(renyi.Poisson(rate=0.01))
drawn: renyi.Sampling = renyi.FixedSize(np.int64(60000), 256)
whole_epochs = renyi.Plan(renyi.Gaussian(2).sampled(renyi.Shuffled(10)), neighbors="zero-out", unit=np.int64(2)) * 3
size: int = whole_epochs.unit
largest: renyi.Plan = renyi.Parallel([sample, sample * 2, [sample, plan]]) * 2
person: renyi.Epsilon = renyi.epsilon(noise_multiplier=1.1, delta=1e-5, neighbors="replace-one", unit=3)

# Mechanisms by name, and what is known of them.
by_name: renyi.Mechanism = renyi.mechanism("laplace", scale=np.float32(2))
named_plan: renyi.Plan = renyi.mechanism("pure-dp", epsilon=0.1) * 3 + by_name
kinds: list[str] = [entry["kind"] for entry in renyi.catalogue()]

# Values that are not numbers are refused.
renyi.epsilon(noise_multiplier="1.1", delta=1e-5)  # type: ignore[call-overload]

# A run described by its sizes.
sizes = renyi.Run(dataset_size=60_000, batch_size=256, epochs=60, sampling=renyi.FixedSize)
told: renyi.Epsilon = renyi.epsilon(dataset_size=60_000, batch_size=256, epochs=60, noise_multiplier=1.1, delta=1e-5)
many_told: renyi.EpsilonArray = renyi.epsilon(dataset_size=600, batch_size=[2, 3], noise_multiplier=1.1, delta=1e-5)
said: tuple[renyi.PrivacyWarning, ...] = told.warnings + renyi.calibrate(dataset_size=9, epsilon=1, delta=0).warnings
counted: Optional[renyi.Run] = told.run
steps_of: renyi.Plan = sizes.plan(renyi.Gaussian(1.1), neighbors="replace-one")

# Noise.
noisy: renyi.noise.Noisy[Any] = renyi.noise.gaussian(np.zeros(3, dtype=np.float32), stddev=np.float32(2), grid=2**-4)
accounted: Optional[renyi.Mechanism] = noisy.step
rounding: Optional[float] = noisy.grid
published: NDArray[Any] = np.asarray(noisy)
mask: NDArray[np.bool_] = renyi.noise.poisson_sample(np.int64(5), sampling_rate=0.5).values
permutation: NDArray[np.int64] = renyi.noise.shuffle(5).values
best: int = renyi.noise.permute_and_flip([1.0, 2.0], epsilon=1, monotonic=True).index
word: str = ["a", "b"][renyi.noise.exponential(np.zeros(2), epsilon=1)]

# Filters: a verdict is a condition, balances are a sequence.
keeper = renyi.Filter(renyi.Budget.curve_of(plan, orders=[2, 8]), cap=renyi.Budget.curve({2: 1.0, 8: np.float64(9)}))
decision: renyi.FilterVerdict = keeper.charge(renyi.Gaussian(4), count=np.int64(2))
left: float = min(balance.left for balance in keeper.remaining())
more: int = keeper.headroom(noise_multiplier=4, sampling_rate=0.1)
change: Optional[renyi.FittingStep] = keeper.would_fit(renyi.Laplace(1))
whole: renyi.Epsilon = keeper.epsilon(1e-5)
whole_plans: int = keeper.headroom(plan)
second: renyi.Balance = keeper.remaining()["order 2"]
some: renyi.Balances = keeper.remaining()[:1]
designed = renyi.design_filter(plan, epsilon=2, delta=1e-6)["gdp"].budget
if designed is not None:
    renyi.Filter(designed, cap='{"kind":"gdp","mu":100}').set_budget({"kind": "gdp", "mu": 0.1})
with keeper.step(plan) as admitted:
    runs: bool = admitted.runs
odometer = renyi.Odometer.renyi(1e-5, orders=range(2, 9))
odometer.charge(plan)
shown: renyi.OdometerReading = odometer.reading_after(renyi.Gaussian(2), 3)

# Ledgers.
ledger: renyi.Ledger = renyi.Ledger.create("models.ledger", witness=None)
paid: renyi.Receipt = ledger.add_scope("models", renyi.Budget.zcdp(0.5), cap={"kind": "zcdp", "rho": 1.0})
with ledger.charge("models", renyi.Gaussian(2), np.int64(3), key="k") as ticket:
    charged: Optional[str] = ticket.state
with ledger.reserve("models", plan, expires_in=60) as reserved:
    reserved.output = b"published"
try:
    ledger.charge("models", noise_multiplier=1)
except renyi.BudgetExceeded as refused:
    entry: Optional[renyi.Receipt] = refused.receipt
    rest: float = refused.left["models"]["rho"].left
except renyi.AlreadyOpened as again:
    stored: Optional[bytes] = again.output
except renyi.StoreFailure as failed:
    fault: str = failed.fault
verified: bool = bool(ledger.verify(ledger.head()))
lines: list[str] = [line.text for line in ledger.history("models", since="2026-11")]
released: renyi.Release = renyi.release([{"name": "visits", "value": 7}], ledger=ledger, scope="models", rho=0.1)
released_values: list[float] = [number.value for statistic in released for number in statistic]
payer = renyi.LedgerAccountant(ledger, "models", steps_per_epoch=10, noise_multiplier=1.1)
for number in payer.paid(range(10)):
    batch: int = number

# Loaders.
loader = renyi.loaders.PoissonLoader(60_000, batch_size=256, steps=np.int64(10), nominal_size=64_000)
size: Optional[int] = loader.nominal_size
account = renyi.Accountant()
seen: renyi.loaders.Observed = account.observe(loader, noise_multiplier=1.1)
for part in renyi.loaders.microbatches(next(iter(loader)), 64):
    rows: NDArray[np.int64] = part.indices
sampled: renyi.Sampled = loader.step(renyi.Laplace(2.0))
training: renyi.Plan = renyi.loaders.RandomAllocationLoader(100, batches=4).plan(noise_multiplier=2, neighbors="zero-out")
account.check(sampling_rate=loader.rate, steps=loader.position)
for of_epoch in payer.paid(loader):
    which: int = of_epoch.number

# Figures.
axes: matplotlib.axes.Axes = renyi.plot.profile(plan, delta=1e-5, range=(0, 3), linewidth=2)
axes = renyi.plot.steps(ax=axes, noise_multiplier=sigmas, steps=100)
axes = renyi.tradeoff(plan).plot(axes, title="")
