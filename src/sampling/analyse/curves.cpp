#include "sampling/analyse/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanism/custom/order_curve.h"
#include "mechanism/lattice_pair.h"
#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "mechanism/replacement_steps.h"
#include "mechanism/sampled_gaussian/curve.h"
#include "numerics/compensated.h"
#include "numerics/exponentials.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "sampling/pairs/gaussian_pair.h"
#include "sampling/pairs/laplace_pair.h"
#include "sampling/pairs/mixed_pair.h"

namespace renyi::sampling {

namespace curves_file {
namespace {

using divergence_detail::Atom;
using divergence_detail::Atoms;
using mechanism::DiscreteCurve;
using mechanism::LatticePair;
using numerics::Mass;
using numerics::mixed_loss;
using numerics::product_up;
using numerics::unit_roundoff;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A single sampled Gaussian becomes the mechanism of that name, which has its own curve and engines. A step whose
// profile is at most that of a Gaussian (gdp) has that curve as well, but not its loss.
std::optional<Mechanism> as_sampled_gaussian(const std::string& name, const std::vector<SampledNoise>& components) {
  const auto& [inclusion, noise] = components.front();
  const bool plain = components.size() == 1 && inclusion.shape == Shape::one_sided && inclusion.group == 1;
  if (!plain || noise.kind != Noise::Kind::gaussian) return std::nullopt;
  auto known = mechanism::sampled_gaussian_step(inclusion.rate, noise.scale);
  if (!known || noise.knowledge == Knowledge::loss) return known;
  if (!known->curve()->law().is<mechanism::SampledNormal>()) return std::nullopt;  // a rate of 0 or 1
  return CustomMechanism(
      name, std::make_shared<sampled_gaussian::SampledGaussianCurve>(inclusion.rate, noise.scale, noise.knowledge));
}

std::shared_ptr<const MonotonePair> pair_of(const SampledNoise& component) {
  const auto& [inclusion, noise] = component;
  const Reading reading = inclusion.shape == Shape::symmetric ? Reading::symmetric : Reading::one_sided;
  if (noise.kind == Noise::Kind::any) return mixed_pair(inclusion.rate, noise.pair, reading);
  if (noise.kind == Noise::Kind::laplace && noise.scale < least_laplace_scale) {
    throw Unsupported(
        "sampling",
        fmt::format("a sample may contain one record {:.6g} times, beside which Laplace noise is too small "
                    "to be analysed",
                    inclusion.copies),
        "use smaller batches, Poisson or fixed-size sampling");
  }
  if (noise.kind == Noise::Kind::laplace) return laplace_pair(inclusion.rate, noise.scale, reading);
  const GaussianGroup group{inclusion.rate, noise.scale, inclusion.group};
  return inclusion.shape == Shape::opposite ? opposite_gaussian_pair(group) : gaussian_pair(group, reading);
}

// An emptied record: losses above 0 and below 0 come from different worst cases (docs/math/sampling.md, S5).
monotone::WeightedPair weighted(const SampledNoise& component) {
  const auto& [inclusion, noise] = component;
  if (inclusion.shape != Shape::emptied) return {inclusion.weight, pair_of(component)};
  return {inclusion.weight, emptied_gaussian_pair(inclusion.rate, noise.scale),
          gaussian_pair({inclusion.rate, noise.scale, 1}, Reading::symmetric)};
}

// Returns `loss` if one pair of datasets attains the whole pair; otherwise the pair only bounds the profile.
Knowledge knowledge_of(const std::vector<SampledNoise>& components) {
  const auto& [inclusion, noise] = components.front();
  const bool attained =
      components.size() == 1 && inclusion.shape != Shape::symmetric && inclusion.shape != Shape::emptied;
  return attained ? noise.knowledge : Knowledge::profile;
}

}  // namespace
}  // namespace curves_file

SampledStep noise_step(const std::string& name, const std::vector<SampledNoise>& components) {
  if (auto known = curves_file::as_sampled_gaussian(name, components)) return {*std::move(known), Figures::by_numbers};
  std::vector<monotone::WeightedPair> pairs;
  for (const SampledNoise& component : components) pairs.push_back(curves_file::weighted(component));
  return {CustomMechanism(
      name, std::make_shared<monotone::PairsCurve>(std::move(pairs), curves_file::knowledge_of(components)))};
}

// A pair is mixed with its second distribution by transforming the losses: ln((1-g) + g exp(l)), however small g is
// (docs/math/sampling.md, "Outcomes").
namespace curves_file {
namespace {

double mixed_error(double g, double l, double error, double value) {
  return numerics::mixed_loss_slope(g, l + error) * error + 8 * unit_roundoff * std::abs(value);
}

// Returns how much of the total mass 1 a list lacks beyond the errors of its masses: a few units each, and those of the
// logarithm if a mass was formed from it.
double missing(const Atoms& atoms) {
  numerics::CompensatedSum total;
  double rounding = 4;
  total.add(atoms.p_only);
  for (const Atom& atom : atoms.shared) {
    total.add(atom.p.value);
    if (atom.p.value > 0) rounding += atom.p.value * (8 + 4 * std::abs(atom.p.log));
  }
  const double rest = (1 - total.high()) - total.low();
  return rest > rounding * unit_roundoff ? rest : 0;
}

// The atoms of (P, Q) and of (Q, P).
struct BothWays {
  Atoms remove;
  Atoms add;

  void put(const Mass& p, const Mass& q, double loss, double error) {
    remove.shared.push_back({p, loss, error});
    add.shared.push_back({q, -loss, error});
  }
  // Adds mass of P where Q has none, or mass of Q where P has none.
  void put_alone(double p) {
    remove.p_only += p;
    add.q_only += p;
  }
  void put_other_alone(double q) {
    remove.q_only += q;
    add.p_only += q;
  }
};

// Returns the mass of (1-g) Q + g P at an outcome, where it is exp(loss) Q.
Mass mixed(double g, const OutcomePair::Outcome& o, double loss) {
  return Mass::of((1 - g) * o.q.value + g * o.p.value, o.q.log + loss);
}

void put_one_sided(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate, weight = c.inclusion.weight;
  for (const auto& o : c.pair.outcomes) {
    const double loss = mixed_loss(g, o.loss);
    both.put(mixed(g, o, loss).times(weight), o.q.times(weight), loss, mixed_error(g, o.loss, o.loss_error, loss));
  }
  both.put_alone(product_up(weight, product_up(g, c.pair.p_only)));
  // Where P has no mass, the mixture has 1-g times that of Q.
  if (c.pair.q_only > 0) {
    const double loss = std::log1p(-g);
    const OutcomePair::Outcome only{.q = Mass::of(c.pair.q_only)};
    both.put(mixed(g, only, loss).times(weight), only.q.times(weight), loss, 4 * unit_roundoff * std::abs(loss));
  }
}

// Adds the outcomes of positive loss, their mirror images, and the remaining mass at 0.
void put_symmetric(BothWays& both, const SampledOutcomes& c) {
  const double g = c.inclusion.rate, weight = c.inclusion.weight, alone = product_up(g, c.pair.p_only);
  numerics::CompensatedSum counted;
  counted.add(alone);
  for (const auto& o : c.pair.outcomes) {
    if (!(o.loss > 0)) continue;
    const double loss = mixed_loss(g, o.loss), error = mixed_error(g, o.loss, o.loss_error, loss);
    const Mass p = mixed(g, o, loss);
    both.put(p.times(weight), o.q.times(weight), loss, error);
    both.put(o.q.times(weight), p.times(weight), -loss, error);
    counted.add(o.q.value);
    counted.add(p.value);
  }
  both.put_alone(product_up(weight, alone));
  both.put_other_alone(product_up(weight, alone));
  if (const double rest = (1 - counted.high()) - counted.low(); rest > 0) {
    const Mass of_both = Mass::of(rest).times(weight);
    both.put(of_both, of_both, 0, 0);
  }
}

}  // namespace
}  // namespace curves_file

std::shared_ptr<const mechanism::DiscreteCurve> outcomes_curve(const std::vector<SampledOutcomes>& components,
                                                               Listing listing) {
  // The knowledge is `loss` if one pair of datasets attains the whole pair; otherwise the pair only bounds the profile.
  const auto& [first, pair] = components.front();
  const bool attained = components.size() == 1 && first.shape == Shape::one_sided;
  curves_file::BothWays both;
  for (const SampledOutcomes& c : components) {
    c.inclusion.shape == Shape::symmetric ? curves_file::put_symmetric(both, c) : curves_file::put_one_sided(both, c);
  }
  if (listing == Listing::whole) {
    both.put_alone(curves_file::missing(both.remove));
    both.put_other_alone(curves_file::missing(both.add));
  }
  return std::make_shared<mechanism::DiscreteCurve>(
      divergence_detail::DiscreteModel(std::move(both.remove), std::move(both.add)),
      attained ? pair.knowledge : Knowledge::profile);
}

// Noise on the integers is mixed outcome by outcome, as finite pairs are (docs/math/discrete-noise.md, "On a sample").
namespace curves_file {
namespace {

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

  // The knowledge is `loss` if one pair of datasets attains the whole pair; otherwise the pair only bounds the profile.
  Knowledge knowledge() const override {
    return components_.size() == 1 && !is_mirrored(components_.front()) ? Knowledge::loss : Knowledge::profile;
  }
  bool is_symmetric() const override { return std::all_of(components_.begin(), components_.end(), is_mirrored); }
  // Remove is larger for any centrally symmetric noise (docs/math/sampled-gaussian.md, "Directions").
  std::optional<Direction> larger_direction() const override {
    const bool remove = std::all_of(components_.begin(), components_.end(), [](const SampledLattice& c) {
      return is_mirrored(c) || (c.inclusion.shape == Shape::one_sided && c.noise.curve->is_symmetric());
    });
    return remove ? std::optional(Direction::remove) : std::nullopt;
  }
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
  // At larger orders the window has integers that a double cannot represent, or too many of them.
  static constexpr double farthest_order = 1e12;

  LogMoment real_at(double z, Direction direction) const override {
    return z > farthest_order ? unmixed(z, direction)
                              : summed([&] { return SummedCurve::real_at(z, direction); }, z, direction);
  }
  template <class Sum>
  LogMoment summed(const Sum& sum, double z, Direction direction) const {
    try {
      return sum();
    } catch (const NotConverged&) {
      return unmixed(z, direction);
    }
  }

  // K lies between 0 and that of the step itself, because it is a mixture of the step with equal distributions (joint
  // quasi-convexity). It is convex with K(0) = 0, so that K'(z) <= K(2z)/z. Mirrored pairs are not such mixtures.
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

  // A mirrored pair has its terms on one side of loss 0 only, so that the rules for smooth sums do not apply.
  std::shared_ptr<const DiscreteCurve> near(double z, bool thinned) const override {
    return finite(
        [&](const SampledLattice& c) { return c.noise.pair().nodes(z, c.inclusion.rate, thinned && !is_mirrored(c)); });
  }
  std::shared_ptr<const DiscreteCurve> whole() const override {
    return finite([](const SampledLattice& c) { return c.noise.pair().outcomes(); });
  }
  // The components are mixtures of both distributions with total weight 1; a mirrored pair has both on either side.
  double log_missing() const override {
    double most = -infinity;
    for (const SampledLattice& c : components_) most = std::max(most, c.noise.pair().log_left_out());
    return most + 1;
  }

  // Far out P outweighs everything. Where P has no mass, Q/((1-g) Q + g P) is 1/(1-g).
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
}  // namespace curves_file

std::shared_ptr<const Curve> lattice_curve(std::vector<SampledLattice> components) {
  return std::make_shared<curves_file::LatticeCurve>(std::move(components));
}

namespace curves_file {
namespace {

// Distributions of a family that are outside the range of the quadrature still have bounds.
std::optional<DistributionPair> mixed(const DistributionPair& pair, double rate) {
  try {
    return pair.mixed(rate);
  } catch (const InvalidArgument&) {
    return std::nullopt;
  } catch (const NotConverged&) {
    return std::nullopt;
  }
}

}  // namespace
}  // namespace curves_file

// H_t((1-g) A + g B || A) = g H_s(B || A), s = 1 + (t-1)/g, and the same holds in the other direction: where (P, Q)
// dominates (B, A), ((1-g) Q + g P, Q) dominates the step on a Poisson sample of rate g.
std::shared_ptr<const Curve> densities_curve(const Curve& step, const Inclusion& inclusion) {
  const mechanism::Law law = step.law();
  const auto* given = law.get_if<mechanism::AnyPair>();
  const bool one_record = inclusion.shape == Shape::one_sided && inclusion.distance == Distance::presence &&
                          inclusion.copies == 1 && inclusion.group == 1;
  if (given == nullptr || !one_record) return nullptr;
  auto pair = curves_file::mixed(*given->pair, inclusion.rate);
  return pair ? std::make_shared<mechanism::PairCurve>(*std::move(pair)) : nullptr;
}

}  // namespace renyi::sampling
