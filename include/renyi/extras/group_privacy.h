// Group privacy: the guarantee for 2^doublings records that follows from the one for a single record.
#pragma once

#include <memory>

#include "renyi/extras/curve.h"

namespace renyi {

// Returns the curve of the same run for groups of 2^doublings records: (a, e)-RDP with a >= 2^(doublings+1) for one
// record implies (a / 2^doublings, 3^doublings e)-RDP for the group (Mironov 2017, Proposition 2). The curve has only
// real orders (Knowledge::orders). Throws InvalidArgument unless `doublings` is from 0 to most_doublings.
//
//     const auto group = renyi::group_privacy(renyi::compose(plan), 2);  // 4 records
//     renyi::rdp(*group, 8).upper();
[[nodiscard]] std::shared_ptr<const Curve> group_privacy(std::shared_ptr<const Curve> curve, int doublings);
inline constexpr int most_doublings = 30;

}  // namespace renyi
