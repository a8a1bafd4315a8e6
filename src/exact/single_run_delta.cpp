// The delta of one run of a private selection, for the theorem that needs it at every order.
#include "plan/select/single_run_delta.h"

#include <array>
#include <memory>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/limits.h"
#include "renyi/rdp.h"

namespace renyi {

namespace single_run_delta_file {
namespace {

// The engines that answer quickly, in the order of preference.
constexpr std::array quick_engines{Engine::closed_form, Engine::contour};

// Computes delta by the first engine that supports the plan where the distribution of the loss is known, and by the
// Renyi bound of the curve otherwise.
class Deltas {
 public:
  Deltas(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve) : curve_(std::move(curve)) {
    for (const Engine engine : quick_engines) {
      try {
        exact_.emplace_back(steps, curve_, ExactOptions{.engine = engine});
      } catch (const Unsupported&) {  // only bounds on the divergences are known
      }
    }
  }

  // The exact interval already takes the Renyi bound of the curve into account.
  double operator()(double epsilon) const {
    for (const PrivacyProfile& accountant : exact_) {
      try {
        const ExactInterval found = accountant.delta(epsilon).worst;
        if (found.limited) stop_if_asked();  // the curve is kept, and must not depend on a limit of this question
        return found.upper;
      } catch (const Unsupported&) {  // the next engine is tried
      } catch (const NotConverged&) {
      }
    }
    return renyi_delta(*curve_, epsilon).upper;
  }

 private:
  std::shared_ptr<const Curve> curve_;
  std::vector<PrivacyProfile> exact_{};
};

}  // namespace
}  // namespace single_run_delta_file

plan::SingleRunDelta plan::single_run_delta(const std::vector<CountedMechanism>& steps,
                                            std::shared_ptr<const Curve> curve) {
  return single_run_delta_file::Deltas(steps, std::move(curve));
}

}  // namespace renyi
