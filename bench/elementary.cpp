// Measures the time of the vector kernels per element, in units of one exp of the same run, on every instruction set
// that this processor supports. The roofline of the Renyi bound is based on these times.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "mechanism/sampled_gaussian/kernels.h"
#include "mechanism/sampled_gaussian/quadrature.h"
#include "numerics/simd/functions.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

using namespace renyi::sampled_gaussian;
namespace simd = renyi::numerics::simd;

constexpr std::size_t elements = 4096;
constexpr int repetitions = 501;

struct Unit {
  double exp_seconds;
};

void report(const char* what, renyi::simd::Target target, double seconds, const Unit& unit) {
  constexpr std::array names{"baseline", "avx2", "avx3"};
  fmt::print("  {:<44} {:<9} {:>7.2f} ns {:>7.3f} exp\n", what, names[static_cast<std::size_t>(target)], seconds * 1e9,
             seconds / unit.exp_seconds);
}

void report_function(const char* what, renyi::simd::Target target, simd::ArrayFunction function, double from, double to,
                     const Unit& unit) {
  std::vector<double> x(elements), y(elements);
  for (std::size_t i = 0; i < elements; ++i)
    x[i] = from + (to - from) * static_cast<double>(i * 2654435761 % elements) / elements;
  const double seconds = bench::median_seconds(repetitions, [&] {
    function(x.data(), y.data(), elements);
    return y[elements / 2];
  });
  report(what, target, seconds / elements, unit);
}

void report_functions(renyi::simd::Target target, const Unit& unit) {
  const simd::Functions f = simd::functions_for(target);
  report_function("exp", target, f.exp, -10, 0, unit);
  report_function("exp(y), exp(y)-1, exp(y)-1-y together", target, f.grown_rest, -3, 3, unit);
  report_function("log", target, f.log, 0.01, 10, unit);
  report_function("log(1+u)", target, f.log1p, -0.5, 10, unit);
  report_function("sine and cosine", target, f.sin, -10, 10, unit);
}

// q = 0.01 and sigma = 1.1: the nodes around the origin that the Renyi bound uses, and the chunks of one order.
void report_nodes(renyi::simd::Target target, const Unit& unit) {
  constexpr int chunks = 5, first = -2, rounds = 20;
  const Params params(0.01, 1.1);
  const double step = sufficient_step(params, 0, renyi::Direction::remove);
  const Lattice lattice(params, step);
  std::array<Chunk, chunks> filled{};
  const FillNodes fill = fill_nodes_for(target);
  const double fill_seconds = bench::median_seconds(repetitions, [&] {
    for (int round = 0; round < rounds; ++round) {
      for (long c = 0; c < chunks; ++c) {
        fill(params, step, lattice.log_weight(), (first + c) * Chunk::size, filled[static_cast<std::size_t>(c)]);
      }
    }
    return filled[0].p[0];
  });
  report("a node of the lattice", target, fill_seconds / (rounds * chunks * Chunk::size), unit);
  for (const auto direction : {renyi::Direction::remove, renyi::Direction::add}) {
    const Order order = make_order(lattice, 4, direction, peaks_of(params, 4, direction));
    const AddChunk add = add_chunk_for(target, direction);
    RealLanes lanes;
    const double sum_seconds = bench::median_seconds(repetitions, [&] {
      for (int round = 0; round < rounds; ++round) {
        for (const Chunk& chunk : filled) add(order, params, chunk, lanes);
      }
      return lanes.slope[0];
    });
    report(direction == renyi::Direction::remove ? "a node of a sum, remove" : "a node of a sum, add", target,
           sum_seconds / (rounds * chunks * Chunk::size), unit);
  }
}

}  // namespace

int main() {
  const Unit unit{bench::exp_seconds()};
  fmt::print("Vector kernels, one core, per element; one exp = {:.2f} ns\n", unit.exp_seconds * 1e9);
  for (const auto target : {renyi::simd::Target::baseline, renyi::simd::Target::avx2, renyi::simd::Target::avx3}) {
    if (target > renyi::simd::best_target()) break;
    report_functions(target, unit);
    report_nodes(target, unit);
  }
}
