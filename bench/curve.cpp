// Micro-benchmarks of one log-moment: real and complex orders, set-up included or not.
#include <benchmark/benchmark.h>

#include <complex>

#include "renyi/mechanism.h"

namespace {

constexpr renyi::SampledGaussian mechanism{0.01, 1.1};

void set_up_and_one_order(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(mechanism.curve()->log_moment(3.7, renyi::Direction::remove).value);
}
BENCHMARK(set_up_and_one_order);

void real_order(benchmark::State& state) {
  const auto curve = mechanism.curve();
  const auto order = static_cast<double>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(curve->log_moment(order - 1, renyi::Direction::remove).value);
}
BENCHMARK(real_order)->Arg(2)->Arg(5)->Arg(32)->Arg(1000)->Arg(100000);

void real_order_add(benchmark::State& state) {
  const auto curve = mechanism.curve();
  for (auto _ : state) benchmark::DoNotOptimize(curve->log_moment(3.7, renyi::Direction::add).value);
}
BENCHMARK(real_order_add);

void complex_order(benchmark::State& state) {
  const auto curve = mechanism.curve();
  const std::complex<double> z{3.7, static_cast<double>(state.range(0))};
  for (auto _ : state) benchmark::DoNotOptimize(curve->log_moment(z, renyi::Direction::remove).value);
}
BENCHMARK(complex_order)->Arg(1)->Arg(10)->Arg(100);

}  // namespace

BENCHMARK_MAIN();
