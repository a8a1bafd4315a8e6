// Tails of losses that need no integral (docs/math/privacy-loss.md, "Closed forms").
#pragma once

#include <optional>
#include <vector>

#include "renyi/loss.h"
#include "renyi/plan.h"

namespace renyi::loss {

// Pr[L >= t] of one loss, or nothing where there is no closed form.
std::optional<Probability> closed_form_above(const std::vector<CountedMechanism>& steps, Direction direction, double t);
// Pr[L < -s].
std::optional<Probability> closed_form_below(const std::vector<CountedMechanism>& steps, Direction direction, double s);

}  // namespace renyi::loss
