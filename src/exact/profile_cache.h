// The results that a privacy profile keeps between questions about one plan.
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

// A bound, and the epsilon or delta for which it was computed.
template <class Bound>
struct Asked {
  double at = 0;
  Bound bound{};
};

// A cache of laws on a lattice. Composing a law for one epsilon takes some time; evaluating it at others nearby takes
// almost none. The cache may be used from several threads.
class ProfileCache {
 public:
  // Returns delta(epsilon) by a cached law whose answer there is as narrow as requested, or not much wider than where
  // the law was composed.
  std::optional<ExactInterval> delta(Direction direction, double epsilon, double tolerance) const;

  // Returns the Renyi bounds, which are the same for both directions. The last bound of each kind is kept.
  RenyiBound renyi_epsilon(const Curve& curve, double delta);
  RenyiBound renyi_delta(const Curve& curve, double epsilon);

  // Returns the closed form of the plan, if it has one: it may take long to set up, and is quick to evaluate.
  std::shared_ptr<const std::optional<Profile>> closed_form(const std::vector<CountedMechanism>& steps,
                                                            Direction direction);

  // Stores a law. `width` is the width of ln delta where it was composed.
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
  std::array<std::shared_ptr<const std::optional<Profile>>, 2> closed_forms_;  // indexed by direction
  std::vector<Entry> entries_;                                                 // the newest last
};

}  // namespace renyi::exact
