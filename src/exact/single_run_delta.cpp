// The delta of one run of a private selection, for the theorem that asks for it at every order.
#include "plan/select/single_run_delta.h"

#include <array>
#include <memory>
#include <vector>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/rdp.h"

namespace renyi {

namespace single_run_delta_file {
namespace {

// Engines that answer at once, in the order of preference.
constexpr std::array quick_engines{Engine::closed_form, Engine::contour};

// By the first engine that serves, where the law of the loss is known; by the curve otherwise.
class Deltas {
 public:
  Deltas(const std::vector<CountedMechanism>& steps, std::shared_ptr<const Curve> curve) : curve_(std::move(curve)) {
    for (const Engine engine : quick_engines) {
      try {
        exact_.emplace_back(steps, curve_, ExactOptions{.engine = engine});
      } catch (const Unsupported&) {  // known by bounds on its divergences only
      }
    }
  }

  // What the curve proves is in the exact figure too.
  double operator()(double epsilon) const {
    for (const PrivacyProfile& accountant : exact_) {
      try {
        return accountant.delta(epsilon).worst.upper;
      } catch (const Unsupported&) {  // the next one
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
