// Noise shared out between layers.
#include <gtest/gtest.h>

#include <cmath>

#include "renyi/error.h"
#include "renyi/extras/clipping.h"
#include "renyi/mechanism.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::per_layer_clipping_test {
namespace {

Mechanism layered(const Rows& layers, double noise = 1) {
  return make_mechanism("per-layer-clipping", {{"noise_multiplier", noise}}, {{"layers", layers}});
}

TEST(PerLayerClipping, CostsTheSumOfItsLayers) {
  const Rows layers{{1, 2}, {0.5, 3}, {4, 10}};
  for (const double order : {1.5, 2.0, 30.0}) {
    double truth = 0;
    for (const auto& layer : layers) truth += rdp(*Mechanism(Gaussian{1.5 * layer[1], layer[0]}).curve(), order).value;
    const Bounded found = rdp(*layered(layers, 1.5).curve(), order);
    EXPECT_NEAR(found.value / truth, 1, 1e-14);
    EXPECT_GE(found.upper(), truth);
  }
}

TEST(PerLayerClipping, EqualLayersAreOneGaussian) {
  for (const int layers : {1, 2, 3, 7, 100}) {
    const Mechanism split = layered(equal_layers(layers, 1.5, 3));
    const double whole = rdp(*Mechanism(Gaussian{3, 1.5}).curve(), 2).value;
    EXPECT_NEAR(rdp(*split.curve(), 2).value / whole, 1, 1e-13) << layers;
    EXPECT_GE(rdp(*split.curve(), 2).upper(), whole);
  }
  EXPECT_THROW(equal_layers(0, 1, 1), InvalidArgument);
  EXPECT_THROW(equal_layers(2, 0, 1), InvalidArgument);
  EXPECT_THROW(equal_layers(2, 1, std::nan("")), InvalidArgument);
}

TEST(PerLayerClipping, IsSampledAsTheGaussianItIs) {
  const Mechanism sampled = layered({{3, 5}, {4, 5}}).sampled_by(Sampling::poisson(0.02));
  const auto found = analysed(sampled, {Neighbors::zero_out}).curve();
  EXPECT_NEAR(rdp(*found, 3).value / rdp(*Mechanism(SampledGaussian{0.02, 1}).curve(), 3).value, 1, 1e-11);
}

TEST(PerLayerClipping, RefusesLayersWithoutNoise) {
  EXPECT_THROW(layered({{1, 0}}), InvalidArgument);
  EXPECT_THROW(layered({{0, 1}}), InvalidArgument);
  EXPECT_THROW(layered({{1}}), InvalidArgument);
  EXPECT_THROW(layered({}), InvalidArgument);
}

}  // namespace
}  // namespace renyi::per_layer_clipping_test
