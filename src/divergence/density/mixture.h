// A law mixed with another, by their log-densities at a point.
#pragma once

#include "divergence/density/line.h"

namespace renyi::divergence_detail {

// ((1-rate) Q + rate P, Q), 0 < rate < 1. The loss ln(1 + rate (p/q - 1)) keeps its digits however small the rate is.
LogPair mixed_pair(const LogPair& given, double rate);

}  // namespace renyi::divergence_detail
