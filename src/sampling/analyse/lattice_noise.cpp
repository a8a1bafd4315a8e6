// Mixtures of noise on the integers, outcome by outcome, as finite pairs are mixed (docs/math/discrete-noise.md, "On a
// sample").
#include "sampling/analyse/lattice_noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/lattice/summed_curve.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "sampling/analyse/outcomes.h"

namespace renyi::sampling {

namespace {

using mechanism::DiscreteCurve;
using mechanism::LatticePair;
using numerics::Mass;

constexpr double infinity = std::numeric_limits<double>::infinity();

OutcomePair pair_of(const std::vector<LatticePair::Outcome>& outcomes) {
  OutcomePair pair;
  pair.outcomes.reserve(outcomes.size());
  for (const auto& o : outcomes) {
    pair.outcomes.push_back({Mass::of_log(o.log_q), Mass::of_log(o.log_p), o.loss, o.loss_error});
  }
  return pair;
}

class LatticeCurve final : public mechanism::SummedCurve {
 public:
  explicit LatticeCurve(std::vector<SampledLattice> components) : components_(std::move(components)) {}

  // The law of the loss, if one pair of datasets attains the whole pair; a bound on the profile otherwise.
  Knowledge knowledge() const override {
    return components_.size() == 1 && !is_mirrored(components_.front()) ? Knowledge::loss : Knowledge::profile;
  }
  bool is_symmetric() const override { return std::all_of(components_.begin(), components_.end(), is_mirrored); }
  bool is_listed() const override {
    return std::all_of(components_.begin(), components_.end(),
                       [](const SampledLattice& c) { return c.noise.pair().is_listed(); });
  }
  // No mixture costs more than the step itself (joint quasi-convexity).
  Growth growth() const override {
    Growth most;
    for (const SampledLattice& c : components_) {
      const Growth one = c.noise.curve->growth();
      most = {std::max(most.xi, one.xi), std::max(most.rho, one.rho)};
    }
    return most;
  }

 private:
  // Windows of integers that a double cannot count, or too many of them.
  static constexpr double farthest_order = 1e12;

  LogMoment real_at(double z, Direction direction) const override {
    return z > farthest_order ? unmixed(z, direction)
                              : summed([&] { return SummedCurve::real_at(z, direction); }, z, direction);
  }
  LogMoment worst_at(double z) const override {
    return z > farthest_order ? unmixed(z, Direction::remove)
                              : summed([&] { return SummedCurve::worst_at(z); }, z, Direction::remove);
  }
  template <class Sum>
  LogMoment summed(const Sum& sum, double z, Direction direction) const {
    try {
      return sum();
    } catch (const NotConverged&) {
      return unmixed(z, direction);
    }
  }

  // K lies between 0 and that of the step itself, of which it is a mixture with nothing (joint quasi-convexity); it is
  // convex with K(0) = 0, so that K'(z) <= K(2z)/z. Mirrored pairs are no such mixture.
  LogMoment unmixed(double z, Direction direction) const {
    if (std::any_of(components_.begin(), components_.end(), is_mirrored)) {
      throw NotConverged("the moment of sampled noise on the integers at a large order");
    }
    double most = 0, steepest = 0;
    for (const SampledLattice& c : components_) {
      const LogMoment k = c.noise.curve->log_moment(z, direction);
      const LogMoment twice = c.noise.curve->log_moment(std::min(2 * z, largest_order), direction);
      most = std::max(most, numerics::next_up(k.value + k.error));
      steepest = std::max(steepest, numerics::next_up((twice.value + twice.error) / z));
    }
    if (direction == Direction::add) most = std::min(most, numerics::next_up(z * max_loss_at(direction).upper()));
    return {0.5 * most, 0.5 * most, 0.5 * steepest, 0.5 * steepest, 0};
  }

  static bool is_mirrored(const SampledLattice& c) { return c.inclusion.shape == Shape::symmetric; }

  template <class Outcomes>
  std::shared_ptr<const DiscreteCurve> finite(const Outcomes& outcomes_of) const {
    std::vector<SampledOutcomes> all;
    for (const SampledLattice& c : components_) all.push_back({c.inclusion, pair_of(outcomes_of(c))});
    return outcomes_curve(all, Listing::window);
  }

  // A mirrored pair has its terms on one side of loss 0 only: no rule for smooth sums holds there.
  std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const override {
    return finite(
        [&](const SampledLattice& c) { return c.noise.pair().nodes(z, c.inclusion.rate, thinned && !is_mirrored(c)); });
  }
  std::shared_ptr<const DiscreteCurve> whole() const override {
    return finite([](const SampledLattice& c) { return c.noise.pair().outcomes(); });
  }
  // Mixtures of both laws, of total weight 1; a mirrored pair has both on either side.
  double log_missing() const override {
    double most = -infinity;
    for (const SampledLattice& c : components_) most = std::max(most, c.noise.pair().log_left_out());
    return most + 1;
  }

  // Far out P outweighs everything; where it has nothing, Q/((1-g) Q + g P) is 1/(1-g).
  Bounded max_loss_at(Direction direction) const override {
    double most = 0;
    for (const SampledLattice& c : components_) {
      if (direction == Direction::remove || is_mirrored(c)) return {infinity, 0};
      most = std::max(most, -std::log1p(-c.inclusion.rate));
    }
    return {most, 4 * numerics::unit_roundoff * most};
  }

  std::vector<SampledLattice> components_;
};

}  // namespace

std::shared_ptr<const Curve> lattice_curve(std::vector<SampledLattice> components) {
  return std::make_shared<LatticeCurve>(std::move(components));
}

}  // namespace renyi::sampling
