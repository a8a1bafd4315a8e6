// Groups of records: what a guarantee for one record says about 2^doublings of them.
#pragma once

#include <memory>

#include "renyi/extras/curve.h"

namespace renyi {

// The curve of the run seen by such a group: (a, e)-RDP with a >= 2^(doublings+1)
// gives (a / 2^doublings, 3^doublings e)-RDP. Real orders only.
std::shared_ptr<const Curve> group_privacy(std::shared_ptr<const Curve> curve, int doublings);
inline constexpr int most_doublings = 30;

}  // namespace renyi
