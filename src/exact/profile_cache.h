// What an accountant keeps between questions about one plan.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/closed_form/profile.h"
#include "exact/lattice/delta_law.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi::exact {

// A bound, and what it was asked for.
template <class Bound>
struct Asked {
  double at = 0;
  Bound bound{};
};

// Laws on a lattice: each is composed for one epsilon, at some cost, and answers for others nearby at next to none.
// Safe to use from several threads.
class ProfileCache {
 public:
  // delta(epsilon) by a law whose answer there is as narrow as asked, or not much wider than where it was composed.
  std::optional<ExactInterval> delta(Direction direction, double epsilon, double tolerance) const;

  // The Renyi bounds, which are the same for both directions: the last of each is kept.
  RenyiBound renyi_epsilon(const Curve& curve, double delta);
  RenyiBound renyi_delta(const Curve& curve, double epsilon);

  // The closed form of the plan, if it has one: it may be long to set up, and quick to ask.
  std::shared_ptr<const std::optional<Profile>> closed_form(const std::vector<CountedMechanism>& steps,
                                                            Direction direction);

  // `width` is that of ln delta where the law was composed.
  void keep(Direction direction, std::shared_ptr<const lattice::DeltaLaw> law, double width);

 private:
  struct Entry {
    Direction direction;
    std::shared_ptr<const lattice::DeltaLaw> law;
    double width;
  };

  mutable std::mutex mutex_;
  std::optional<Asked<RenyiBound>> epsilon_;
  std::optional<Asked<RenyiBound>> delta_;
  std::array<std::shared_ptr<const std::optional<Profile>>, 2> closed_forms_;  // by direction
  std::vector<Entry> entries_;                                                 // the newest last
};

}  // namespace renyi::exact
