// The table of docs/math/sampling.md, "Standing", as code.
#include "plan/step_standing.h"

#include <algorithm>
#include <vector>

#include "mechanism/law.h"
#include "renyi/extras/select.h"
#include "sampling/analyse/inclusion.h"

namespace renyi::plan {

namespace step_standing_file {
namespace {

using sampling::Distance;
using sampling::Inclusion;
using sampling::Shape;

// Gaussian steps to which one record is allocated once are analysed exactly (docs/math/random-allocation.md).
bool hides_batch(const Mechanism& specified, const Adjacency& relation) {
  const Sampling& sampling = *specified.sampling();
  const bool one_record = relation.unit == 1 && relation.neighbors != Neighbors::replace_one;
  return sampling.scheme == Scheme::shuffled || sampling.participations > 1 || !one_record ||
         !mechanism::law_of<mechanism::NormalShift>(specified.unsampled());
}

// Where every record is drawn, no other can take the place of one that is removed; and where a batch overflows, a
// record that is drawn may be left out.
bool is_always_exchanged(const Sampling& sampling, const Adjacency& relation) {
  const auto all = sampling::inclusions(sampling, relation);
  const bool always = all.size() == 1 && all.front().rate == 1 && all.front().distance == Distance::exchange;
  return always && (relation.neighbors == Neighbors::add_or_remove_one || sampling.scheme == Scheme::truncated_poisson);
}

// Returns true if the step is known by a guarantee only. A list of outcomes that dominates the step, as in the shuffle
// model, is no step that could have run.
bool is_promise(const Curve& inner) {
  return inner.knowledge() == Knowledge::profile && !inner.law().is<mechanism::AtomicLoss>();
}

// Returns true if one step with the guarantee attains the pair of each distance: Gaussian noise on a count, and what is
// the same for any two datasets. Of epsilon-DP steps none has twice the loss at a distance of two neighbours.
bool holds_at_any_distance(const Mechanism& inner, const Curve& curve) {
  if (curve.law().is<mechanism::NormalShift>()) return true;
  const auto two = inner.for_group(2);
  return two && *two == inner;
}

// A guarantee is stated for the plan's relation, so that an exchange is two neighbours apart, or one if records are
// replaced.
bool is_one_neighbour(const Inclusion& each, Neighbors neighbors) {
  const bool one = each.distance == Distance::presence || neighbors == Neighbors::replace_one;
  return one && each.copies == 1 && each.group == 1;
}

bool attains_sampled(const Mechanism& inner, const Curve& curve, const std::vector<Inclusion>& all,
                     Neighbors neighbors) {
  Inclusion only = all.front();
  // A symmetric pair is that of two pairs of datasets, and a revealed mixture that of none.
  if (all.size() > 1 || (only.rate != 1 && only.shape != Shape::one_sided)) return false;
  // A record that is always drawn and is emptied has no other in its place.
  if (only.shape == Shape::emptied) only.distance = Distance::presence;
  return is_one_neighbour(only, neighbors) || holds_at_any_distance(inner, curve);
}

// A selection, or a run of several rounds, is no step that a guarantee states.
bool attains_whole(const Mechanism& step, const Adjacency& relation) {
  if (step.get_if<Select>() != nullptr || !step.steps_of_run().empty()) return false;
  const auto curve = step.curve();
  return is_promise(*curve) && (relation.unit == 1 || holds_at_any_distance(step, *curve));
}

bool attains(const Mechanism& specified, const Adjacency& relation) {
  const Sampling* sampling = specified.sampling();
  if (sampling == nullptr) return attains_whole(specified, relation);
  if (is_by_epoch(sampling->scheme)) return false;
  const Mechanism inner = specified.unsampled();
  const auto curve = inner.curve();
  return is_promise(*curve) &&
         attains_sampled(inner, *curve, sampling::inclusions(*sampling, relation), relation.neighbors);
}

// A record lies in one of the parts, each of which is analysed as a plan of its own.
Standing of_parallel(const Parallel& parallel, const Adjacency& relation) {
  const bool attained = std::all_of(parallel.parts().begin(), parallel.parts().end(), [&](const Steps& part) {
    return Analysis(Plan(relation.neighbors, relation.unit).add(part)).standing() == Standing::attained;
  });
  return attained ? Standing::attained : Standing::dominated;
}

}  // namespace
}  // namespace step_standing_file

bool overstates_loss(const Mechanism& specified, const Adjacency& relation) {
  const Sampling* sampling = specified.sampling();
  if (sampling == nullptr) return false;
  return is_by_epoch(sampling->scheme) ? step_standing_file::hides_batch(specified, relation)
                                       : step_standing_file::is_always_exchanged(*sampling, relation);
}

Standing step_standing(const Mechanism& specified, const Mechanism& analysed, const Adjacency& relation) {
  if (const auto* parallel = specified.get_if<Parallel>()) {
    return step_standing_file::of_parallel(*parallel, relation);
  }
  const auto curve = analysed.curve();
  if (curve->dominating_curve() != nullptr) return Standing::dominated;
  if (overstates_loss(specified, relation)) {
    const bool is_free = curve->worst_max_loss().upper() == 0;
    return is_free ? Standing::attained : Standing::dominated;
  }
  if (curve->knowledge() != Knowledge::profile) return Standing::attained;
  return step_standing_file::attains(specified, relation) ? Standing::promised : Standing::dominated;
}

}  // namespace renyi::plan
