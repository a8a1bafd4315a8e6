// A plan as the mathematics sees it: its steps analysed and composed once, shared by every question about it.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "renyi/extras/curve.h"
#include "renyi/plan.h"

namespace renyi {

// Whose figures the exact ones are.
enum class Standing {
  attained,   // those of what was run
  promised,   // those of the worst step that keeps a promise, such as a pure epsilon: what was run may cost less
  dominated,  // those of a pair of laws that dominates the steps, such as for a hidden batch: likewise
};
inline constexpr std::array all_standings{Standing::attained, Standing::promised, Standing::dominated};
std::string_view to_string(Standing standing) noexcept;
// What to say beside an exact figure, in a sentence; empty where it is attained.
std::string_view note_on(Standing standing) noexcept;

// A value; copies share what was found. Wherever one is asked for, a plan will do.
class Analysis {
 public:
  Analysis(const Plan& plan);  // NOLINT(google-explicit-constructor)
  // Of steps that are analysed and composed already: those of a running account. The plan says the same.
  Analysis(const Plan& plan, std::vector<CountedMechanism> steps, std::shared_ptr<const Curve> curve);

  const Plan& plan() const noexcept { return found_->plan; }
  // As Plan::analysed gives them.
  const std::vector<CountedMechanism>& steps() const noexcept { return found_->steps; }
  // Of the whole plan.
  const std::shared_ptr<const Curve>& curve() const noexcept { return found_->curve; }
  // Of exact figures, where there are any.
  Standing standing() const;

 private:
  struct Found {
    Plan plan;
    std::vector<CountedMechanism> steps;
    std::shared_ptr<const Curve> curve;
  };
  std::shared_ptr<const Found> found_;
};

}  // namespace renyi
