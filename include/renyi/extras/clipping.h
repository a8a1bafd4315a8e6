// Noise for adaptive clipping and per-layer clipping: how the noise of one training step is divided.
#pragma once

#include "renyi/extras/parameter.h"

namespace renyi {

// For adaptive clipping (mechanism "adaptive-clipping"). Each step also releases the number of unclipped records, with
// noise of standard deviation `count_stddev` on the sum of b - 1/2, where b is 1 for an unclipped record and 0
// otherwise. Returns the noise multiplier of the gradients with which such a step costs the same as Gaussian noise of
// the multiplier `total` alone: (total^-2 - (2 count_stddev)^-2)^(-1/2), rounded up (Andrew, Thakkar, McMahan,
// Ramaswamy 2021, Theorem 1). Throws InvalidArgument if the count alone costs at least as much, that is, if total >= 2
// count_stddev.
//
//     const double multiplier = renyi::gradient_noise_multiplier(1.1, 10);
[[nodiscard]] double gradient_noise_multiplier(double total, double count_stddev);

// For per-layer clipping (mechanism "per-layer-clipping"). Returns the rows of its table "layers" in the usual case, in
// which each of `layers` layers is clipped to clipping_norm / sqrt(layers), rounded up, and all layers have noise of
// the same standard deviation.
//
//     plan.add(renyi::PerLayerClipping{.layers = renyi::equal_layers(12, 1, 1.1)}, 1000);
[[nodiscard]] Rows equal_layers(int layers, double clipping_norm, double stddev);

}  // namespace renyi
