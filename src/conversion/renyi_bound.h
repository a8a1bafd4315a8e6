// The smallest epsilon or delta that Renyi divergences prove (docs/math/conversion.md).
#pragma once

#include "renyi/extras/curve.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

// The smallest epsilon that the curve gives at `delta` in [0, 1].
RenyiBound renyi_epsilon(const Curve& curve, double delta, const ConversionOptions& options = {});
RenyiBound renyi_epsilon(const Analysis& analysis, double delta, const ConversionOptions& options = {});

// The smallest delta that the curve gives at `epsilon` in [0, inf].
RenyiBound renyi_delta(const Curve& curve, double epsilon, const ConversionOptions& options = {});
RenyiBound renyi_delta(const Analysis& analysis, double epsilon, const ConversionOptions& options = {});

// The same bounds with sampled-Gaussian steps evaluated by the method, over the orders that it supports; `integer`
// supports whole orders. Both functions throw Unsupported if there are none: for the closed form, if its conditions are
// not met.
RenyiBound renyi_epsilon(const Analysis& analysis, double delta, SampledGaussianMethod method,
                         const ConversionOptions& options = {});
RenyiBound renyi_delta(const Analysis& analysis, double epsilon, SampledGaussianMethod method,
                       const ConversionOptions& options = {});

}  // namespace renyi
