#include <gtest/gtest.h>

#include "renyi/error.h"
#include "renyi/mechanism.h"

namespace renyi::report_noisy_max_test {
namespace {

double epsilon_of(const Mechanism& mechanism) { return mechanism.equivalent()->get_if<PureDp>()->epsilon; }

TEST(ReportNoisyMax, IsPureWithTwiceTheSensitivity) {
  EXPECT_EQ(epsilon_of(make_mechanism("report-noisy-max", {{"score_scale", 4}})), 0.5);
  EXPECT_EQ(epsilon_of(make_mechanism("report-noisy-max", {{"score_scale", 4}, {"sensitivity", 8}})), 4);
  EXPECT_EQ(epsilon_of(make_mechanism("report-noisy-max", {{"score_scale", 4}, {"monotonic", 1}})), 0.25);
}

// 2/3 is no double: the one above is taken.
TEST(ReportNoisyMax, RoundsEpsilonUp) {
  const double epsilon = epsilon_of(make_mechanism("report-noisy-max", {{"score_scale", 3}}));
  EXPECT_GE(static_cast<long double>(epsilon) * 3, 2.0L);
  EXPECT_LE(epsilon, 2.0 / 3 * (1 + 1e-15));
}

TEST(ReportNoisyMax, MonotonicIsYesOrNo) {
  EXPECT_THROW(static_cast<void>(make_mechanism("report-noisy-max", {{"score_scale", 1}, {"monotonic", 0.5}})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_mechanism("report-noisy-max", {{"score_scale", 1}, {"monotonic", 2}})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_mechanism("report-noisy-max", {{"score_scale", 0}})), InvalidArgument);
}

}  // namespace
}  // namespace renyi::report_noisy_max_test
