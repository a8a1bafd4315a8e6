// Measures banded matrices over many rounds: coefficients, error, sensitivity and privacy.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "processor_clock.h"
#include "renyi/extras/matrix_design.h"
#include "renyi/renyi.h"
#include "timing.h"

namespace {

template <class Work>
void row(const std::string& what, const Work& work) {
  const double start = bench::processor_seconds();
  const double found = work();
  fmt::print("  {:<78} {:>8.3f} s  {:.6g}\n", what, bench::processor_seconds() - start, found);
}

renyi::MatrixDesignQuestion question(std::int64_t rounds, std::int64_t bands, renyi::MatrixMethod method) {
  return {.rounds = rounds,
          .bands = {bands},
          .method = method,
          .dataset_size = 1e9,
          .batch_size = 1e5,
          .target = renyi::Target{.epsilon = 2, .delta = 1e-10}};
}

}  // namespace

int main() {
  using renyi::MatrixMethod;
  constexpr std::int64_t rounds = 1'000'000, bands = 1000;
  fmt::print("seconds of one core, and the figure that was computed\n");
  const std::vector<double> root = renyi::square_root_coefficients(bands);
  row("prefix_sum_error, 1e6 rounds, 1000 bands", [&] { return renyi::prefix_sum_error(root, rounds).mean_squared; });
  row("prefix_sum_error, 1e6 rounds, 1e6 bands",
      [&] { return renyi::prefix_sum_error(renyi::square_root_coefficients(rounds), rounds).mean_squared; });
  row("toeplitz_sensitivity, 1e6 rounds, 1000 bands, 100 participations", [&] {
    return renyi::toeplitz_sensitivity(root, {.rounds = rounds, .participations = 100, .min_separation = 10'000});
  });
  row("optimal_coefficients, 1e6 rounds, 1000 bands",
      [&] { return renyi::optimal_coefficients(bands, {.rounds = rounds})[1]; });
  for (const MatrixMethod method : {MatrixMethod::square_root, MatrixMethod::optimal}) {
    row(fmt::format("design_matrix for a target, with and without sampling, {}", to_string(method)), [&] {
      const auto design = renyi::design_matrix(question(rounds, bands, method));
      return design.matrices[1].noise_multiplier.value_or(-1);
    });
  }
  row("epsilon of banded-matrix, 1e6 rounds, 1000 bands, rate 0.1", [&] {
    renyi::BandedMatrix run{.noise_multiplier = 5, .rounds = rounds, .sampling_rate = 0.1};
    for (const double x : root) run.coefficients.push_back({x});
    return renyi::epsilon(renyi::Plan().add(run), 1e-10).upper();
  });
}
