#include "sampling/analyse/analyse.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanism/curve.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/own.h"
#include "renyi/sampling_bounds.h"
#include "sampling/analyse/curves.h"
#include "sampling/analyse/family.h"
#include "sampling/analyse/inclusion.h"
#include "sampling/unit.h"

namespace renyi::sampling {

namespace analyse_file {
namespace {

using numerics::Rounding;

std::string name_of(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  const std::string_view what = inner.identity() != nullptr ? inner.summary() : inner.kind();
  return fmt::format("{}, {} under {}", what, to_string(sampling.scheme), to_string(relation.neighbors));
}

// More records of one person than this are too many to count one by one.
constexpr std::int64_t most_records = 10'000;

Mechanism nothing(const std::string& name) { return Own(name, std::make_shared<mechanism::ZeroCurve>()); }

// Only Gaussians are analysed with both records at once; for the rest the exchange bounds either comparison, and the
// number of a group's records in the sample is revealed.
std::vector<Inclusion> simplified(const std::vector<Inclusion>& all, bool gaussian) {
  std::vector<Inclusion> result;
  for (Inclusion each : all) {
    if (gaussian) {
      result.push_back(each);
      continue;
    }
    if (each.shape == Shape::opposite) {
      each.shape = Shape::symmetric;
      each.distance = Distance::exchange;
    }
    for (const Inclusion& part : revealed_group(each)) result.push_back(part);
  }
  return result;
}

// Bounds on divergences alone: the published bounds, each for what it is proved for.
Mechanism by_curve(const std::string& name, const CurveOnly& step, const std::vector<Inclusion>& all,
                   const Sampling& sampling, const Adjacency& relation) {
  const Inclusion& only = all.front();
  if (sampling.scheme == Scheme::poisson && only.shape == Shape::one_sided && only.group == 1) {
    return Own(name, poisson_bound(step.curve, only.rate));
  }
  if (sampling.scheme == Scheme::fixed_size && relation.neighbors == Neighbors::replace_one) {
    return Own(name, without_replacement_bound(step.curve, only.rate));
  }
  throw Unsupported("sampling",
                    fmt::format("{} is not analysed: the step is known by bounds on its divergences only", name),
                    "use Poisson sampling under add-or-remove-one or zero-out, or fixed-size under replace-one");
}

// Every component has a pair of the same sort.
Mechanism by_pairs(const std::string& name, const Mechanism& inner, const Sampling& sampling, const Adjacency& relation,
                   Rounding rounding) {
  const std::vector<Inclusion> all = inclusions(sampling, relation, rounding);
  const Family family(inner, relation, rounding);
  std::vector<SampledNoise> noises;
  std::vector<SampledOutcomes> outcomes;
  std::vector<SampledLattice> lattices;
  const bool gaussian = inner.get_if<Gaussian>() != nullptr || inner.get_if<GaussianDp>() != nullptr;
  // Two records each against none: refused, before anything is simplified, where only replaced ones are known.
  for (const Inclusion& each : all) family.at(each);
  for (const Inclusion& each : simplified(all, gaussian)) {
    auto pair = family.at(each);
    if (auto* noise = std::get_if<Noise>(&pair)) {
      noises.push_back({each, *noise});
      continue;
    }
    const bool mirrored = each.shape == Shape::symmetric;
    if (auto* lattice = std::get_if<LatticeNoise>(&pair); lattice != nullptr) {
      if (mirrored && !lattice->pair().is_listed()) return by_curve(name, {lattice->curve}, all, sampling, relation);
      lattices.push_back({each, std::move(*lattice)});
      continue;
    }
    auto* some = std::get_if<OutcomePair>(&pair);
    if (some == nullptr && all.size() == 1) {
      if (auto curve = densities_curve(inner, each)) return Own(name, std::move(curve));
    }
    if (some == nullptr || (mirrored && !some->symmetric)) {
      const auto* bound = std::get_if<CurveOnly>(&pair);  // at the distance asked for
      return by_curve(name, bound != nullptr ? *bound : CurveOnly{inner.curve()}, all, sampling, relation);
    }
    outcomes.push_back({each, std::move(*some)});
  }
  if (!lattices.empty()) return Own(name, lattice_curve(std::move(lattices)));
  return noises.empty() ? Mechanism(Own(name, outcomes_curve(outcomes))) : noise_mechanism(name, noises);
}

// The step itself, `units` records apart; noise is stated for the presence of one.
Mechanism unsampled_at(const Mechanism& inner, const Inclusion& inclusion, const Adjacency& relation) {
  const bool two = inclusion.distance == Distance::exchange || inclusion.shape == Shape::opposite;
  const bool doubled = two && (inner.is_noise() || relation.neighbors != Neighbors::replace_one);
  const double size = (doubled ? 2 : 1) * inclusion.copies * static_cast<double>(inclusion.group);
  if (size == 1) return inner;
  if (auto tight = inner.for_group(size)) return *std::move(tight);
  if (size > static_cast<double>(largest_unit)) {
    throw Unsupported("sampling", fmt::format("{} records of one person in a sample are too many", size),
                      fmt::format("use at most {}", largest_unit));
  }
  return by_group_bound(inner, static_cast<std::int64_t>(size));
}

// A person's records lie in up to so many batches, each of which gives an answer of its own: pure epsilons add.
Mechanism several_answers(const RandomizedResponse& response, double answers) {
  const Bounded one = response.curve()->max_loss(Direction::remove);
  return Mechanism(PureDp{numerics::next_up(answers * one.upper())})
      .rounded_up_from(PureDp{numerics::next_down(answers * one.lower())});
}

// Which batch it is, is hidden: what is proved bounds the epoch, and is no law of its loss.
Mechanism hidden_batch(Mechanism step, double batches) {
  const auto* gaussian = step.get_if<Gaussian>();
  if (gaussian == nullptr || batches == 1) return step;
  const auto* least = step.at_least().get_if<Gaussian>();
  const double mu = numerics::quotient_up(gaussian->l2_sensitivity, gaussian->stddev);
  const double least_mu = numerics::quotient_down(least->l2_sensitivity, least->stddev);
  const Parameter& range = GaussianDp::parameters()[0];
  if (!range.allows(mu) || !range.allows(least_mu)) return step;
  return Mechanism(GaussianDp{mu}).rounded_up_from(GaussianDp{least_mu});
}

// Every record once an epoch: in one batch of it, whichever (docs/math/sampling.md, "Shuffled epochs").
Mechanism epoch(const Mechanism& inner, double batches, const Adjacency& relation) {
  if (relation.neighbors == Neighbors::add_or_remove_one) {
    throw Unsupported(
        "neighbors",
        "shuffled epochs are not analysed under add-or-remove-one: a record more or less moves the others "
        "between batches",
        "use zero-out or replace-one, where every record keeps its place");
  }
  const bool exchanged = relation.neighbors == Neighbors::replace_one;
  if (const auto* response = inner.get_if<RandomizedResponse>(); response != nullptr && relation.unit > 1) {
    return several_answers(*response, std::min(static_cast<double>(relation.unit), batches));
  }
  return hidden_batch(
      unsampled_at(inner, {.distance = exchanged ? Distance::exchange : Distance::presence, .group = relation.unit},
                   relation),
      batches);
}

// Steps whose effect is known for several records at once.
bool scales(const Mechanism& inner) {
  return inner.for_group(2).has_value() && inner.get_if<ZeroConcentrated>() == nullptr;
}

// Several records of a person, where only one is analysed: the bound for a chain of neighbours. Along a chain of
// removals the size of the dataset changes, and with it every rate that depends on it.
Mechanism by_chain(const Mechanism& mechanism, const Adjacency& relation) {
  if (relation.neighbors == Neighbors::add_or_remove_one && mechanism.sampling()->scheme != Scheme::poisson) {
    throw Unsupported("unit",
                      fmt::format("{} sampling is not analysed for several records under add-or-remove-one",
                                  to_string(mechanism.sampling()->scheme)),
                      "use Poisson sampling, or zero-out or replace-one");
  }
  return by_group_bound(analyse(mechanism, {relation.neighbors, 1}), relation.unit);
}

// Whether its figures are as sharp as the few numbers it is made of: then it matters that these are rounded. Others are
// integrated, and the errors of that hold what a rounding does.
bool is_by_numbers(const Mechanism& mechanism, const Mechanism& inner, const std::vector<Inclusion>& all) {
  if (mechanism.get_if<SampledGaussian>() != nullptr) return true;
  const auto* own = mechanism.get_if<Own>();
  if (own == nullptr || dynamic_cast<const mechanism::DiscreteCurve*>(own->curve().get()) == nullptr) return false;
  const auto two = inner.for_group(2);
  return two && two->is_rounded() && std::any_of(all.begin(), all.end(), [](const Inclusion& each) {
           return each.distance == Distance::exchange || each.copies != 1 || each.group != 1;
         });
}

Mechanism sampled(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  const std::string name = name_of(inner, sampling, relation);
  if (sampling.scheme == Scheme::shuffled) return epoch(inner, sampling.batches, relation);
  if (inner.get_if<Own>() == nullptr && inner.curve()->worst_max_loss().upper() == 0) return nothing(name);
  const bool each_by_itself = sampling.scheme == Scheme::poisson && relation.unit <= most_records && scales(inner);
  if (relation.unit > 1 && !each_by_itself) return by_chain(inner.sampled_by(sampling), relation);
  const std::vector<Inclusion> all = inclusions(sampling, relation);
  if (all.front().rate == 0) return nothing(name);
  if (all.size() == 1 && all.front().rate == 1) return unsampled_at(inner, all.front(), relation);
  Mechanism most = by_pairs(name, inner, sampling, relation, Rounding::up);
  if (!is_by_numbers(most, inner, all)) return most;
  return most.rounded_up_from(by_pairs(name, inner, sampling, relation, Rounding::down));
}

// Another one in the place of the mechanism that was said, and as often for a record that is replaced.
Mechanism analyse_one_equivalent(const Mechanism& same, const Mechanism& said, const Adjacency& relation) {
  if (said.sampling() != nullptr) return analyse(same.sampled_by(*said.sampling()), relation);
  if (!said.for_presence() || relation.neighbors != Neighbors::replace_one) return analyse(same, relation);
  const auto twice = same.for_group(2);
  return analyse(twice ? *twice : by_group_bound(same, 2), relation);
}

Mechanism analyse_equivalent(const Mechanism& same, const Mechanism& said, const Adjacency& relation) {
  Mechanism most = analyse_one_equivalent(same, said, relation);
  return same.is_rounded() ? most.rounded_up_from(analyse_one_equivalent(same.at_least(), said, relation)) : most;
}

}  // namespace
}  // namespace analyse_file

Mechanism analyse(const Mechanism& mechanism, const Adjacency& relation) {
  if (const auto same = mechanism.equivalent()) return analyse_file::analyse_equivalent(*same, mechanism, relation);
  if (const auto* m = mechanism.get_if<SampledGaussian>()) {
    if (relation.unit == 1 && relation.neighbors != Neighbors::replace_one) return mechanism;
    return analyse_file::sampled(Gaussian{m->noise_multiplier, 1}, Sampling::poisson(m->sampling_rate), relation);
  }
  if (mechanism.sampling() != nullptr)
    return analyse_file::sampled(mechanism.unsampled(), *mechanism.sampling(), relation);
  return for_group(mechanism, relation.unit);
}

}  // namespace renyi::sampling
