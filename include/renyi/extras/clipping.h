// Noise shared out between what one step of training releases.
#pragma once

#include "renyi/extras/parameter.h"

namespace renyi {

// Adaptive clipping (mechanism "adaptive-clipping"): the noise multiplier of the gradients so that a step that also
// releases the count of unclipped records, with noise of standard deviation `count_stddev` on the sum of b - 1/2, costs
// what Gaussian noise of the multiplier `total` costs alone: (total^-2 - (2 count_stddev)^-2)^(-1/2), rounded up
// (Andrew, Thakkar, McMahan, Ramaswamy 2021, Theorem 1). Throws InvalidArgument where the count alone costs as much:
// total >= 2 count_stddev.
double gradient_noise_multiplier(double total, double count_stddev);

// Per-layer clipping (mechanism "per-layer-clipping"), the usual case: every one of `layers` layers clipped to
// clipping_norm / sqrt(layers), rounded up, with noise of one standard deviation. The rows of its table "layers".
Rows equal_layers(int layers, double clipping_norm, double stddev);

}  // namespace renyi
