// Measures divergences of single mechanisms: errors, error estimates and upper bounds, by region.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "accuracy/sections.h"
#include "crosscheck/ask.h"
#include "crosscheck/random_questions.h"

namespace renyi::bench {

namespace {

using namespace renyi::crosscheck;

// The largest deviations of a region, relative to the exact value.
struct Region {
  std::uint64_t points = 0;
  std::uint64_t violations = 0;
  std::uint64_t not_certified = 0;
  long double error = 0;   // error of the value
  long double share = 0;   // error divided by its estimate
  long double excess = 0;  // excess of the upper bound

  void add(const Outcome& outcome) {
    ++points;
    violations += outcome.broken.empty() ? 0 : 1;
    not_certified += outcome.not_certified.empty() ? 0 : 1;
    if (!outcome.certified) return;
    const Truth truth(outcome.certified->value);
    if (std::isinf(truth.upper) || truth.upper == 0) return;
    const Bounded& fast = *outcome.fast.bounded;
    const long double off = distance(fast.value, truth);
    error = std::max(error, std::abs(fast.value - truth.middle()) / truth.middle());
    if (off > 0) share = std::max(share, off / fast.error);
    excess = std::max(excess, (outcome.fast.upper - truth.middle()) / truth.middle());
  }
  std::string columns() const {
    return fmt::format("{} | {:.1e} | {:.2f} | {:.1e} | {}", points, static_cast<double>(error),
                       static_cast<double>(share), static_cast<double>(excess), violations);
  }
};

constexpr std::array order_names{"1", "(1, 2]", "(2, 64]", "(64, 1e4]", "inf"};
int order_region(double order) {
  if (order == 1) return 0;
  if (order <= 2) return 1;
  if (order <= 64) return 2;
  return std::isinf(order) ? 4 : 3;
}

constexpr std::array rate_names{"0 and [1e-100, 1e-6)", "[1e-6, 0.01)", "[0.01, 0.5)", "[0.5, 1]"};
int rate_region(double q) { return q < 1e-6 ? 0 : q < 0.01 ? 1 : q < 0.5 ? 2 : 3; }
constexpr std::array noise_names{"[0.01, 0.3)", "[0.3, 10)", "[10, 1e6]"};
int noise_region(double sigma) { return sigma < 0.3 ? 0 : sigma < 10 ? 1 : 2; }

class Survey {
 public:
  void add(const Mechanism& mechanism, const Question& question, const Outcome& outcome) {
    by_order_[{std::string(mechanism.kind()), order_region(question.at)}].add(outcome);
    all_.add(outcome);
    const auto sampled = mechanism.get_if<SampledGaussian>();
    if (!sampled) return;
    by_setting_[rate_region(sampled->sampling_rate)][noise_region(sampled->noise_multiplier)].add(outcome);
  }

  void print() const {
    fmt::print("In all {} points, {} laws broken, {} not certified.\n\n| mechanism | orders {}", all_.points,
               all_.violations, all_.not_certified, columns);
    for (const Mechanism& m : all_mechanisms()) print_orders(std::string(m.kind()));
    fmt::print("\n| sampled Gaussian, q | sigma {}", columns);
    for (std::size_t q = 0; q < by_setting_.size(); ++q) {
      for (std::size_t s = 0; s < by_setting_[q].size(); ++s) {
        fmt::print("| {} | {} | {} |\n", rate_names[q], noise_names[s], by_setting_[q][s].columns());
      }
    }
    fmt::print("\n");
  }

 private:
  static constexpr auto columns =
      "| points | largest error of the value | largest share of its estimate | largest excess of the upper bound | "
      "laws "
      "broken |\n|---|---|---|---|---|---|---|\n";

  void print_orders(const std::string& kind) const {
    for (int region = 0; region < static_cast<int>(order_names.size()); ++region) {
      const auto found = by_order_.find({kind, region});
      if (found == by_order_.end()) continue;
      fmt::print("| {} | {} | {} |\n", kind, order_names[static_cast<std::size_t>(region)], found->second.columns());
    }
  }

  std::map<std::pair<std::string, int>, Region> by_order_{};
  std::array<std::array<Region, noise_names.size()>, rate_names.size()> by_setting_{};
  Region all_{};
};

// Half of the points are sampled Gaussians, as in RandomInputs::mechanism.
void survey(std::uint64_t points, std::uint64_t seed, Survey& result) {
  for (std::uint64_t number = 0; number < points; ++number) {
    auto inputs = inputs_of(seed, 2 * number);
    const Mechanism mechanism = inputs.mechanism();
    const Question question = random_point(inputs, mechanism);
    result.add(mechanism, question, ask(question));
  }
}

}  // namespace

void print_curves(std::uint64_t points, std::uint64_t seed) {
  fmt::print(
      "## Curves\n"
      "Random divergences of all mechanisms, either direction, with a bias to corners of the stated domain; what "
      "`build/tests/crosscheck`\nasks. Errors are relative to the middle of the certified enclosure. The share is the "
      "distance of the value from the\nenclosure, as a part of its error estimate: at most 1, or the estimate is "
      "wrong. Infinite divergences count as points\nonly.\n\n");
  Survey result;
  survey(points, seed, result);
  result.print();
}

}  // namespace renyi::bench
