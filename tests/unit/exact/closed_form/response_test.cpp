// Responses against sums straight from the definition.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/closed_form/profile.h"
#include "support/discrete_pair.h"

namespace renyi::exact::response_test {
namespace {

using test::DiscretePair;

void expect_holds(const Interval& got, long double truth, double width) {
  EXPECT_LE(static_cast<long double>(got.lower), truth * (1 + 1e-15L) + 1e-18L);
  EXPECT_GE(static_cast<long double>(got.upper), truth * (1 - 1e-15L) - 1e-18L);
  EXPECT_LE(got.upper - got.lower, width * got.upper);
}

DiscretePair repeated(long double loss, int runs) {
  DiscretePair pair{{1}, {1}};
  for (int i = 0; i < runs; ++i) pair = test::product(pair, test::randomized_response_pair(loss));
  return pair;
}

TEST(RepeatedResponse, AgreesWithTheProductOfTheLaws) {
  for (const double loss : {1e-3, 0.2, 1.0, 5.0}) {
    for (const int runs : {1, 2, 3, 8, 11}) {
      const Profile profile = repeated_response_profile({loss, loss}, runs);
      const DiscretePair pair = repeated(loss, runs);
      for (const double share : {0.0, 0.1, 0.4, 0.77, 0.999}) {
        SCOPED_TRACE(testing::Message() << loss << " x " << runs << " at " << share);
        const double epsilon = share * loss * runs;
        expect_holds(profile(epsilon), test::direct_hockey_stick(pair, epsilon), 1e-12);
      }
    }
  }
}

// The profile is continuous, so that it does not matter on which side of an atom rounding puts it.
TEST(RepeatedResponse, AtomsAreNoJumps) {
  const Profile profile = repeated_response_profile({0.5, 0.5}, 10);
  for (const double atom : {0.0, 1.0, 3.0, 4.0}) {
    const double before = profile(std::max(0.0, std::nextafter(atom, 0))).upper, at = profile(atom).lower;
    EXPECT_NEAR(at / before, 1, 1e-12);
  }
  EXPECT_EQ(profile(5.0).upper, 0);
  EXPECT_GT(profile(std::nextafter(5.0, 0)).lower, 0);
}

TEST(RepeatedResponse, OneRunIsOneResponse) {
  const Response response = response_of(mechanism::TwoLosses{1.25});
  for (const double epsilon : {0.0, 0.5, 1.2499}) {
    const Interval one = response_profile(response)(epsilon),
                   repeated_once = repeated_response_profile(response.loss, 1)(epsilon);
    EXPECT_LE(one.lower, repeated_once.upper);
    EXPECT_LE(repeated_once.lower, one.upper);
  }
}

// The most likely answer against the k - 1 others, and the other way round for p < 1/k.
TEST(Response, AgreesWithTheLawsOfItsAnswers) {
  for (const double p : {0.01, 0.2, 0.25, 0.26, 0.5, 0.97}) {
    for (const int k : {2, 3, 4, 9}) {
      const long double r = (1 - static_cast<long double>(p)) / (k - 1);
      DiscretePair pair{std::vector<long double>(static_cast<std::size_t>(k), r), {}};
      pair.q = pair.p;
      pair.p[0] = p;
      pair.q[1] = p;
      const Profile profile = response_profile(response_of(mechanism::CategoricalResponse{p, static_cast<double>(k)}));
      for (const double epsilon : {0.0, 0.01, 0.3, 2.0}) {
        SCOPED_TRACE(testing::Message() << p << " of " << k << " at " << epsilon);
        expect_holds(profile(epsilon), test::direct_hockey_stick(pair, epsilon), 1e-10);
      }
    }
  }
}

}  // namespace
}  // namespace renyi::exact::response_test
