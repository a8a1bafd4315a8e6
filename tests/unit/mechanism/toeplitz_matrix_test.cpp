#include <gtest/gtest.h>

#include <string>

#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::toeplitz_matrix_test {
namespace {

double squared_sensitivity(const Mechanism& mechanism) {
  const auto same = mechanism.equivalent();
  const double s = same.value().get_if<Gaussian>()->l2_sensitivity;
  return s * s;
}

TEST(ToeplitzMatrix, IsTheMatrixOfItsCoefficients) {
  const Mechanism band = make_mechanism(
      "toeplitz-matrix", {{"noise_multiplier", 3}, {"rounds", 3}, {"participations", 2}, {"min_separation", 2}},
      {{"coefficients", Rows{{1}, {0.5}, {0.25}}}});
  EXPECT_NEAR(squared_sensitivity(band), 2.8125, 1e-13);
  EXPECT_THROW(static_cast<void>(band.sampled_by(Sampling::poisson(0.1))), InvalidArgument);
}

TEST(ToeplitzMatrix, PlanFilesWriteItsCoefficientsAsAList) {
  const std::string text =
      R"({"renyi":1,"neighbors":"zero-out","steps":[{"mechanism":"toeplitz-matrix","noise_multiplier":2,"rounds":100,)"
      R"("participations":5,"min_separation":20,"coefficients":[1,0.5]}]})";
  EXPECT_EQ(write_plan(read_plan(text)), text);
  EXPECT_NEAR(squared_sensitivity(read_plan(text).merged().front().mechanism), 5 * 1.25, 1e-13);
}

}  // namespace
}  // namespace renyi::toeplitz_matrix_test
