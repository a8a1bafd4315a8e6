// Measures single functions by Google Benchmark: one order, one complex order, and how the time of an epsilon depends
// on steps, distinct mechanisms and delta. The counter `exp` is the time in units of one exp of the same run.
#include <benchmark/benchmark.h>

#include <cmath>
#include <complex>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "processor_clock.h"
#include "questions.h"
#include "timing.h"

namespace {

using renyi::Direction;

double exp_unit() {
  static const double unit = bench::exp_seconds();
  return unit;
}

// Times the loop, and reports the time in exp.
template <class Work>
void measure(benchmark::State& state, const Work& work) {
  const double unit = exp_unit();
  const double start = bench::processor_seconds();
  for (auto _ : state) benchmark::DoNotOptimize(work());
  const double seconds = bench::processor_seconds() - start;
  state.counters["exp"] = seconds / static_cast<double>(state.iterations()) / unit;
}

const renyi::Mechanism mechanism = renyi::SampledGaussian{bench::rate, bench::noise};

void set_up_and_one_order(benchmark::State& state) {
  measure(state, [] { return mechanism.curve()->log_moment(3.7, Direction::remove).value; });
}
BENCHMARK(set_up_and_one_order);

void real_order(benchmark::State& state) {
  const auto curve = mechanism.curve();
  const auto order = static_cast<double>(state.range(0));
  measure(state, [&] { return curve->log_moment(bench::next_to(order - 1), Direction::remove).value; });
}
BENCHMARK(real_order)->Arg(2)->Arg(5)->Arg(32)->Arg(1000)->Arg(100000);

void real_order_add(benchmark::State& state) {
  const auto curve = mechanism.curve();
  measure(state, [&] { return curve->log_moment(bench::next_to(3.7), Direction::add).value; });
}
BENCHMARK(real_order_add);

void complex_order(benchmark::State& state) {
  const auto curve = mechanism.curve();
  const std::complex<double> z{3.7, static_cast<double>(state.range(0))};
  measure(state, [&] { return curve->log_moment(z, Direction::remove).value.real(); });
}
BENCHMARK(complex_order)->Arg(1)->Arg(10)->Arg(100);

void line_set_up(benchmark::State& state) {
  const auto curve = mechanism.curve();
  measure(state, [&] { return curve->line(3.7, Direction::remove)->shift_error(); });
}
BENCHMARK(line_set_up);

void line_point(benchmark::State& state) {
  const auto curve = mechanism.curve();
  const auto line = curve->line(3.7, Direction::remove);
  const auto y = static_cast<double>(state.range(0));
  measure(state, [&] { return line->log_phi(y).value.real(); });
}
BENCHMARK(line_point)->Arg(1)->Arg(10)->Arg(100);

double exact(const renyi::Plan& plan, double delta) { return renyi::PrivacyProfile(plan).epsilon(delta).worst.upper; }

// The total noise is the same for all T: q = 1/sqrt(T).
renyi::Plan at_power_of_ten(std::int64_t power) {
  const double count = std::pow(10.0, static_cast<double>(power));
  return bench::training(1 / std::sqrt(count), bench::noise, static_cast<std::int64_t>(count));
}

void renyi_epsilon_by_log10_steps(benchmark::State& state) {
  measure(state, [&] { return renyi::renyi_epsilon(at_power_of_ten(state.range(0)), bench::delta).upper; });
}
BENCHMARK(renyi_epsilon_by_log10_steps)->DenseRange(2, 12, 2);

void exact_epsilon_by_log10_steps(benchmark::State& state) {
  measure(state, [&] { return exact(at_power_of_ten(state.range(0)), bench::delta); });
}
BENCHMARK(exact_epsilon_by_log10_steps)->DenseRange(2, 12, 2);

void renyi_epsilon_by_distinct_steps(benchmark::State& state) {
  const auto plan = bench::schedule(static_cast<int>(state.range(0)));
  measure(state, [&] { return renyi::renyi_epsilon(plan, bench::schedule_delta).upper; });
}
BENCHMARK(renyi_epsilon_by_distinct_steps)->RangeMultiplier(4)->Range(1, 256);

void exact_epsilon_by_distinct_steps(benchmark::State& state) {
  const auto plan = bench::schedule(static_cast<int>(state.range(0)));
  measure(state, [&] { return exact(plan, bench::schedule_delta); });
}
BENCHMARK(exact_epsilon_by_distinct_steps)->RangeMultiplier(4)->Range(1, 256);

void renyi_epsilon_by_digits_of_delta(benchmark::State& state) {
  const double delta = std::pow(10.0, -static_cast<double>(state.range(0)));
  measure(state, [&] { return renyi::renyi_epsilon(bench::reference(), delta).upper; });
}
BENCHMARK(renyi_epsilon_by_digits_of_delta)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(40);

void exact_epsilon_by_digits_of_delta(benchmark::State& state) {
  const double delta = std::pow(10.0, -static_cast<double>(state.range(0)));
  measure(state, [&] { return exact(bench::reference(), delta); });
}
BENCHMARK(exact_epsilon_by_digits_of_delta)->Arg(2)->Arg(5)->Arg(10)->Arg(20)->Arg(40);

}  // namespace

BENCHMARK_MAIN();
