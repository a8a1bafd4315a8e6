#include "sampling/analyse/analyse.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanism/curve.h"
#include "mechanism/law.h"
#include "mechanism/replacement_steps.h"
#include "numerics/rounding.h"
#include "renyi/error.h"
#include "renyi/extras/custom.h"
#include "renyi/papers/sampling_bounds.h"
#include "sampling/analyse/curves.h"
#include "sampling/analyse/inclusion.h"
#include "sampling/analyse/step_model.h"
#include "sampling/group_privacy.h"

namespace renyi::sampling {

namespace analyse_file {
namespace {

using numerics::Rounding;

std::string name_of(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  const std::string_view what = inner.identity() != nullptr ? inner.summary() : inner.kind();
  return fmt::format("{}, {} under {}", what, to_string(sampling.scheme), to_string(relation.neighbors));
}

// Units of more records than this are not analysed with each record sampled independently.
constexpr std::int64_t most_records = 10'000;

Mechanism nothing(const std::string& name) { return CustomMechanism(name, std::make_shared<mechanism::ZeroCurve>()); }

// Only Gaussians are analysed with both records of an opposite pair at once. For other steps the exchange of records
// bounds either comparison, and the number of a group's records in the sample is revealed.
std::vector<Inclusion> simplified(const std::vector<Inclusion>& all, const Curve& step) {
  const bool gaussian = step.law().is<mechanism::NormalShift>();
  // A guarantee of the shape of a Gaussian says nothing about sums of normal vectors.
  const bool sums = gaussian && step.knowledge() == Knowledge::loss;
  std::vector<Inclusion> result;
  for (Inclusion each : all) {
    if (each.shape == Shape::emptied) {
      if (sums) {
        each.distance = Distance::presence;
      } else {
        each.shape = Shape::symmetric;
      }
    }
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

// Supports steps for which only bounds on divergences are known: applies the published bound for the sampling scheme.
Mechanism by_curve(const std::string& name, const CurveOnly& step, const std::vector<Inclusion>& all,
                   const Sampling& sampling, const Adjacency& relation) {
  const Inclusion& only = all.front();
  if (sampling.scheme == Scheme::poisson && only.shape == Shape::one_sided && only.group == 1) {
    return CustomMechanism(name, poisson_bound(step.curve, only.rate));
  }
  if (sampling.scheme == Scheme::fixed_size && relation.neighbors == Neighbors::replace_one) {
    return CustomMechanism(name, without_replacement_bound(step.curve, only.rate));
  }
  throw Unsupported("sampling",
                    fmt::format("{} is not analysed: the step is known by bounds on its divergences only", name),
                    "use Poisson sampling under add-or-remove-one or zero-out, or fixed-size under replace-one");
}

// Returns true if the outcomes are those of the step at a larger distance than specified, which is computed with
// rounded numbers.
bool is_moved(const Mechanism& inner, const std::vector<Inclusion>& all) {
  const auto two = inner.for_group(2);
  return two && two->is_rounded() && std::any_of(all.begin(), all.end(), [](const Inclusion& each) {
           return each.distance == Distance::exchange || each.copies != 1 || each.group != 1;
         });
}

// Analyses the step by its pairs. Every component has a pair of the same type.
SampledStep by_pairs(const std::string& name, const Mechanism& inner, const Sampling& sampling,
                     const Adjacency& relation, Rounding rounding) {
  const std::vector<Inclusion> all = inclusions(sampling, relation, rounding);
  const StepModel family(inner, relation, rounding);
  std::vector<SampledNoise> noises;
  std::vector<SampledOutcomes> outcomes;
  std::vector<SampledLattice> lattices;
  const auto step = inner.curve();
  // With two records, each compared with none, a step that is known only for replaced records is refused, before
  // anything is simplified.
  for (const Inclusion& each : all) family.at(each);
  for (const Inclusion& each : simplified(all, *step)) {
    auto pair = family.at(each);
    if (auto* noise = std::get_if<Noise>(&pair)) {
      noises.push_back({each, *noise});
      continue;
    }
    const bool mirrored = each.shape == Shape::symmetric;
    if (auto* lattice = std::get_if<LatticeNoise>(&pair); lattice != nullptr) {
      if (mirrored && !lattice->pair().is_listed()) return {by_curve(name, {lattice->curve}, all, sampling, relation)};
      lattices.push_back({each, std::move(*lattice)});
      continue;
    }
    auto* some = std::get_if<OutcomePair>(&pair);
    if (some == nullptr && all.size() == 1) {
      if (auto curve = densities_curve(*step, each)) return {CustomMechanism(name, std::move(curve))};
    }
    if (some == nullptr || (mirrored && !some->symmetric)) {
      const auto* bound = std::get_if<CurveOnly>(&pair);  // at the requested distance
      return {by_curve(name, bound != nullptr ? *bound : CurveOnly{step}, all, sampling, relation)};
    }
    outcomes.push_back({each, std::move(*some)});
  }
  if (!lattices.empty()) return {CustomMechanism(name, lattice_curve(std::move(lattices)))};
  if (!noises.empty()) return noise_step(name, noises);
  return {CustomMechanism(name, outcomes_curve(outcomes)),
          is_moved(inner, all) ? Figures::by_numbers : Figures::integrated};
}

// Returns the unsampled step for datasets at this distance, in records; noise is stated for the presence of one record.
Mechanism unsampled_at(const Mechanism& inner, const Inclusion& inclusion, const Adjacency& relation) {
  // A record that is always drawn has no other in its place, and an emptied one leaves the sample without it.
  const bool two = (inclusion.distance == Distance::exchange && inclusion.shape != Shape::emptied) ||
                   inclusion.shape == Shape::opposite;
  const bool doubled = two && (inner.is_additive_noise() || relation.neighbors != Neighbors::replace_one);
  const double size = (doubled ? 2 : 1) * inclusion.copies * static_cast<double>(inclusion.group);
  if (size == 1) return inner;
  if (auto tight = inner.for_group(size)) return *std::move(tight);
  if (size > static_cast<double>(largest_unit)) {
    throw Unsupported("sampling", fmt::format("{} records of one person in a sample are too many", size),
                      fmt::format("use at most {}", largest_unit));
  }
  return by_group_bound(inner, static_cast<std::int64_t>(size));
}

// A user's records lie in up to `answers` batches, each of which gives an answer of its own: pure epsilons add.
Mechanism several_answers(const Bounded& one, double answers) {
  return mechanism::pure_step(numerics::next_up(answers * one.upper()))
      .with_optimistic(mechanism::pure_step(numerics::next_down(answers * one.lower())));
}

// Which batch holds the record is not revealed: the proved step dominates the epoch, but is not the distribution of its
// loss.
Mechanism hidden_batch(Mechanism step, double batches) {
  const auto normal = mechanism::law_of<mechanism::NormalShift>(step);
  if (!normal || step.curve()->knowledge() != Knowledge::loss || batches == 1) return step;
  const auto least = mechanism::law_of<mechanism::NormalShift>(step.optimistic());
  const auto bound = mechanism::gaussian_dp_step(numerics::quotient_up(normal->shift, normal->stddev));
  const auto least_bound = mechanism::gaussian_dp_step(numerics::quotient_down(least->shift, least->stddev));
  return bound && least_bound ? bound->with_optimistic(*least_bound) : step;
}

// Returns the epoch of random allocation where its privacy loss is known: Gaussian steps, one record that is added,
// removed or zeroed out (docs/math/random-allocation.md).
std::optional<Mechanism> allocated(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  if (sampling.scheme != Scheme::random_allocation || relation.unit > 1 || relation.neighbors == Neighbors::replace_one)
    return std::nullopt;
  const auto normal = mechanism::law_of<mechanism::NormalShift>(inner);
  if (!normal || inner.curve()->knowledge() != Knowledge::loss) return std::nullopt;
  const std::string name = name_of(inner, sampling, relation);
  const double least = numerics::quotient_down(normal->stddev, normal->shift);
  const double most = numerics::quotient_up(normal->stddev, normal->shift);
  auto step = mechanism::random_allocation_step(name, sampling.batches, least);
  if (!step || least == most) return step;
  const auto optimistic = mechanism::random_allocation_step(name, sampling.batches, most);
  return optimistic ? step->with_optimistic(*optimistic) : step;
}

// Every record is used once per epoch, in some batch (docs/math/sampling.md, "Shuffled epochs").
Mechanism epoch(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  const double batches = sampling.batches;
  if (sampling.scheme == Scheme::shuffled && relation.neighbors == Neighbors::add_or_remove_one) {
    throw Unsupported(
        "neighbors",
        "shuffled epochs are not analysed under add-or-remove-one: a record more or less moves the others "
        "between batches",
        std::string("use zero-out or replace-one, where every record keeps its place")
            .append(mechanism::is_local_randomizer(inner.curve()->law())
                        ? "; for people who randomize their own values behind a shuffler, use the mechanism "
                          "shuffle-model"
                        : ""));
  }
  if (auto known = allocated(inner, sampling, relation)) return *std::move(known);
  const bool exchanged = relation.neighbors == Neighbors::replace_one;
  if (relation.unit > 1 && mechanism::law_of<mechanism::CategoricalResponse>(inner)) {
    return several_answers(inner.curve()->max_loss(Direction::remove),
                           std::min(static_cast<double>(relation.unit), batches));
  }
  return hidden_batch(
      unsampled_at(inner, {.distance = exchanged ? Distance::exchange : Distance::presence, .group = relation.unit},
                   relation),
      batches);
}

// Returns true if the effect of several records at once is known; that of a divergence line grows faster than their
// number.
bool scales(const Mechanism& inner) {
  return inner.for_group(2).has_value() && !mechanism::law_of<mechanism::DivergenceLine>(inner);
}

// Analyses a unit of several records where only one record is analysed, by the bound for a chain of neighbours. Along a
// chain of removals the size of the dataset changes, and with it every rate that depends on it.
Mechanism by_chain(const Mechanism& mechanism, const Adjacency& relation) {
  if (relation.neighbors == Neighbors::add_or_remove_one && mechanism.sampling()->scheme != Scheme::poisson) {
    throw Unsupported("unit",
                      fmt::format("{} sampling is not analysed for several records under add-or-remove-one",
                                  to_string(mechanism.sampling()->scheme)),
                      "use Poisson sampling, or zero-out or replace-one");
  }
  return by_group_bound(analyse(mechanism, {relation.neighbors, 1}), relation.unit);
}

// Beside an empty place, a batch with the record has one record more. Throws Unsupported for a step that is known only
// for replaced records.
void check_empty_places(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  if (sampling.padded && relation.neighbors == Neighbors::replace_one) {
    StepModel(inner, relation, Rounding::up).at({.distance = Distance::presence});
  }
}

Mechanism sampled(const Mechanism& inner, const Sampling& sampling, const Adjacency& relation) {
  const std::string name = name_of(inner, sampling, relation);
  if (is_by_epoch(sampling.scheme)) return epoch(inner, sampling, relation);
  if (inner.get_if<CustomMechanism>() == nullptr && inner.curve()->worst_max_loss().upper() == 0) return nothing(name);
  const bool each_by_itself = sampling.scheme == Scheme::poisson && relation.unit <= most_records && scales(inner);
  if (relation.unit > 1 && !each_by_itself) return by_chain(inner.sampled_by(sampling), relation);
  check_empty_places(inner, sampling, relation);
  const std::vector<Inclusion> all = inclusions(sampling, relation);
  if (all.front().rate == 0) return nothing(name);
  if (all.size() == 1 && all.front().rate == 1) return unsampled_at(inner, all.front(), relation);
  const SampledStep most = by_pairs(name, inner, sampling, relation, Rounding::up);
  if (most.figures == Figures::integrated) return most.step;
  return most.step.with_optimistic(by_pairs(name, inner, sampling, relation, Rounding::down).step);
}

// Analyses a replacement step instead of the specified mechanism, and twice that step if a record is replaced.
Mechanism analyse_one_equivalent(const Mechanism& same, const Mechanism& said, const Adjacency& relation) {
  if (said.sampling() != nullptr) return analyse(same.sampled_by(*said.sampling()), relation);
  if (!said.states_add_or_remove() || relation.neighbors != Neighbors::replace_one) return analyse(same, relation);
  const auto twice = same.for_group(2);
  return analyse(twice ? *twice : by_group_bound(same, 2), relation);
}

Mechanism analyse_equivalent(const Mechanism& same, const Mechanism& said, const Adjacency& relation) {
  Mechanism most = analyse_one_equivalent(same, said, relation);
  return same.is_rounded() ? most.with_optimistic(analyse_one_equivalent(same.optimistic(), said, relation)) : most;
}

}  // namespace
}  // namespace analyse_file

Mechanism analyse(const Mechanism& mechanism, const Adjacency& relation) {
  if (!mechanism.replacement_only().empty() && relation.neighbors != Neighbors::replace_one) {
    throw Unsupported("neighbors", std::string(mechanism.replacement_only()),
                      "use replace-one; a person whose value is blanked out is one whose value is replaced");
  }
  if (const auto same = mechanism.equivalent()) return analyse_file::analyse_equivalent(*same, mechanism, relation);
  if (mechanism.sampling() != nullptr)
    return analyse_file::sampled(mechanism.unsampled(), *mechanism.sampling(), relation);
  // If one record is added, removed or zeroed out, the mechanism is analysed as specified.
  if (relation.unit == 1 && relation.neighbors != Neighbors::replace_one) return mechanism;
  if (const auto same = mechanism.as_sampled_mechanism()) {
    return analyse_file::sampled(same->unsampled(), *same->sampling(), relation);
  }
  return for_group(mechanism, relation.unit);
}

}  // namespace renyi::sampling
