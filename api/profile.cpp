#include "api/profile.h"

namespace renyi::api {

ProfileAnswer answer(const ProfileRequest& asked) {
  Profile found = profile(asked.plan, {.epsilons = asked.epsilons, .deltas = asked.deltas}, asked.options);
  const std::string_view note = (found.at_epsilons.empty() ? found.at_deltas : found.at_epsilons).front().note();
  return {std::move(found.at_epsilons), std::move(found.at_deltas), note};
}

}  // namespace renyi::api
