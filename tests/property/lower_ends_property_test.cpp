// Lower ends of steps that stand for others: what was rounded up for the upper end is rounded down for the lower one.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "support/random_inputs.h"

namespace renyi::lower_ends_property_test {
namespace {

void expect_overlap(const ExactInterval& a, const ExactInterval& b) {
  EXPECT_LE(a.lower, b.upper);
  EXPECT_LE(b.lower, a.upper);
}

// One plan said in two ways.
void expect_same(const Plan& a, const Plan& b, double delta, double epsilon) {
  const PrivacyProfile first(a), second(b);
  expect_overlap(first.epsilon(delta).worst, second.epsilon(delta).worst);
  expect_overlap(first.delta(epsilon).worst, second.delta(epsilon).worst);
}

TEST(LowerEnds, MatricesOfOneEntryAreGaussians) {
  test::for_random_cases(0.1, [](test::RandomInputs& in) {
    const double noise = in.log_uniform(0.1, 50), entry = in.chance(0.5) ? 1 : in.log_uniform(0.01, 100);
    const Mechanism matrix = make_mechanism("matrix", {{"noise_multiplier", noise}}, {{"matrix", {{entry}}}});
    const Mechanism toeplitz =
        make_mechanism("toeplitz-matrix", {{"noise_multiplier", noise}, {"rounds", 1}}, {{"coefficients", {{entry}}}});
    const Plan gaussian = Plan().add(Gaussian{noise, entry});
    const double delta = in.log_uniform(1e-12, 0.1), epsilon = in.log_uniform(1e-3, 20);
    expect_same(Plan().add(matrix), gaussian, delta, epsilon);
    expect_same(Plan().add(toeplitz), gaussian, delta, epsilon);
  });
}

TEST(LowerEnds, LayersOfOneNumberAreGaussians) {
  test::for_random_cases(0.1, [](test::RandomInputs& in) {
    const double noise = in.log_uniform(0.1, 50), norm = in.log_uniform(0.01, 100);
    const Mechanism layers =
        make_mechanism("per-layer-clipping", {{"noise_multiplier", 1}}, {{"layers", {{norm, noise}}}});
    const double delta = in.log_uniform(1e-12, 0.1), epsilon = in.log_uniform(1e-3, 20);
    expect_same(Plan().add(layers), Plan().add(Gaussian{noise, norm}), delta, epsilon);
    const Sampling sampling = Sampling::poisson(in.log_uniform(1e-3, 0.9));
    expect_same(Plan().add(layers.sampled_by(sampling)),
                Plan().add(Mechanism(Gaussian{noise, norm}).sampled_by(sampling)), delta, epsilon);
  });
}

// A group of k moves the query k times as far.
TEST(LowerEnds, GroupsHoldTheTruth) {
  test::for_random_cases(0.1, [](test::RandomInputs& in) {
    const double noise = in.log_uniform(0.5, 50), delta = in.log_uniform(1e-12, 0.1),
                 epsilon = in.log_uniform(1e-3, 20);
    const double power = std::exp2(static_cast<double>(in.below(5)));  // exact
    const auto unit = static_cast<std::int64_t>(power * 3);
    const auto group = Plan(Neighbors::add_or_remove_one, unit).add(Gaussian{noise * 3, 1});
    // Thrice the noise for thrice the records, each rounded once.
    const ExactInterval found = PrivacyProfile(group).delta(epsilon).worst;
    const ExactInterval more =
        PrivacyProfile(Plan().add(Gaussian{std::nextafter(noise, 0), power})).delta(epsilon).worst;
    const ExactInterval less =
        PrivacyProfile(Plan().add(Gaussian{std::nextafter(noise, 1e9), power})).delta(epsilon).worst;
    EXPECT_LE(found.lower, more.upper);
    EXPECT_GE(found.upper, less.lower);
    EXPECT_GE(PrivacyProfile(group).epsilon(delta).worst.upper, 0);
  });
}

// (2e, d (1 + e^e)) of two records, of which a sample of fixed size has one in the place of the other.
TEST(LowerEnds, ApproximateDpOfTwoRecordsOnASample) {
  test::for_random_cases(0.2, [](test::RandomInputs& in) {
    const double e = in.log_uniform(1e-3, 5), d = in.log_uniform(1e-290, 1e-3);
    const double size = 4 + static_cast<double>(in.below(100)), batch = 1 + static_cast<double>(in.below(3));
    const Mechanism step = make_mechanism("approx-dp", {{"epsilon", e}, {"delta", d}});
    const Plan plan = Plan().add(step.sampled_by(Sampling::fixed_size(size, batch)));
    const double epsilon = 2 * e * 1.01;  // beyond every finite loss
    const ExactInterval found = PrivacyProfile(plan).delta(epsilon).remove;
    const long double truth = static_cast<long double>(batch) / size * d * (1 + std::exp(static_cast<long double>(e)));
    EXPECT_LE(static_cast<long double>(found.lower), truth);
    EXPECT_GE(static_cast<long double>(found.upper), truth);
    EXPECT_LE(static_cast<long double>(found.upper), truth * (1 + 1e-14L));
  });
}

}  // namespace
}  // namespace renyi::lower_ends_property_test
