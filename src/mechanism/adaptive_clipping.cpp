// One step of training with adaptive clipping releases noisy clipped gradients and a noisy count of the records that
// were not clipped. Together they are one Gaussian mechanism (docs/math/trees-and-matrices.md, "Clipping").
#include <algorithm>
#include <array>

#include "mechanism/gaussian.h"
#include "mechanism/model.h"
#include "mechanism/table.h"
#include "numerics/rounding.h"
#include "renyi/mechanism.h"

namespace renyi {

namespace adaptive_clipping_file {
namespace {

// The quotients, squares, sum and root below round up by at most this many units.
constexpr double roundings = 16;

struct AdaptiveClipping {
  double gradient_noise_multiplier = 1;
  double count_stddev = 5;

  static constexpr std::string_view kind = "adaptive-clipping";
  static constexpr std::string_view summary =
      "Gaussian noise on gradients and on the count of unclipped records (adaptive clipping)";
  static std::span<const Parameter> parameters();
  static constexpr auto fields =
      std::tuple{&AdaptiveClipping::gradient_noise_multiplier, &AdaptiveClipping::count_stddev};
  static Notes notes();
  static constexpr bool is_additive_noise = true;
  static constexpr bool states_add_or_remove = true;
  std::optional<AdaptiveClipping> for_group(double size) const;
  Mechanism equivalent() const;
  std::shared_ptr<const Curve> curve() const { return equivalent().curve(); }
  bool operator==(const AdaptiveClipping&) const = default;
};

std::span<const Parameter> AdaptiveClipping::parameters() {
  static constexpr std::array<Parameter, 2> table{{
      {.name = "gradient_noise_multiplier",
       .meaning = "standard deviation of the gradients' noise over the clipping norm",
       .lowest = 1e-20,
       .highest = 1e20,
       .effect = Effect::lowers_cost},
      {.name = "count_stddev",
       .meaning =
           "standard deviation of the noise on the sum of b - 1/2, b = 1 for records that are not clipped, else 0",
       .lowest = 1e-20,
       .highest = 1e20,
       .effect = Effect::lowers_cost},
  }};
  return table;
}

// z^-2 = z_gradient^-2 + (2 sigma_count)^-2: one record moves the gradients by the clipping norm and the count by 1/2
// (Andrew et al. 2021, Theorem 1).
Mechanism AdaptiveClipping::equivalent() const {
  const double gradient = numerics::quotient_up(1, gradient_noise_multiplier);
  const double count = numerics::quotient_up(1, 2 * count_stddev);
  const double squared = numerics::sum_up(numerics::product_up(gradient, gradient), numerics::product_up(count, count));
  return mechanism::rounded_gaussian(1, numerics::sqrt_up(squared), roundings * numerics::unit_roundoff);
}

std::optional<AdaptiveClipping> AdaptiveClipping::for_group(double size) const {
  return AdaptiveClipping{numerics::quotient_down(gradient_noise_multiplier, size),
                          numerics::quotient_down(count_stddev, size)};
}

constexpr Reference andrew2021{"andrew2021",
                               "Andrew, Thakkar, McMahan, Ramaswamy 2021, Differentially private learning with "
                               "adaptive clipping (arXiv:1905.03871), "
                               "Theorem 1",
                               R"(@inproceedings{andrew2021,
  author = {Andrew, Galen and Thakkar, Om and McMahan, H. Brendan and Ramaswamy, Swaroop},
  title = {Differentially Private Learning with Adaptive Clipping},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2021},
  eprint = {1905.03871}
})"};

Notes AdaptiveClipping::notes() {
  return {
      .relation =
          "any; both noises are stated for the presence of one record, which moves the sum of b - 1/2 by 1/2, and a "
          "record that is replaced counts as two; of a plain count of b give half of its standard deviation",
      .exact = "everything, where some record moves both as far as it may",
      .bound = "",
      .references = {andrew2021}};
}

}  // namespace
}  // namespace adaptive_clipping_file

Mechanism table::adaptive_clipping() { return mechanism::made(adaptive_clipping_file::AdaptiveClipping{}); }

}  // namespace renyi
