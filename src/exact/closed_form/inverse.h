// epsilon from delta, to the last digits the profile has.
#pragma once

#include "exact/closed_form/profile.h"

namespace renyi::exact {

// epsilon(delta) = inf{x : profile(x) <= delta} for 0 < delta < 1; `start` is about there.
// The upper end is infinite where no double proves one.
Ends epsilon_of(const Profile& profile, double delta, double start);

}  // namespace renyi::exact
