// The curve of random allocation: its density, its moments of whole orders, and the laws that follow from convexity.
#include "mechanism/random_allocation/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mechanism/random_allocation/density.h"
#include "mechanism/random_allocation/transform.h"
#include "support/expect.h"

namespace renyi::random_allocation::curve_test {
namespace {

// E[R^a] = a!/t^a [u^a] (sum_k m_k u^k/k!)^t with m_k = exp((k^2-k)/(2 s^2)), by the recurrence for powers of series.
long double whole_moment(int a, double t, double s) {
  std::vector<long double> base, power;
  long double factorial = 1;
  for (int k = 0; k <= a; ++k) {
    if (k > 0) factorial *= k;
    base.push_back(std::exp(0.5L * k * (k - 1) / (static_cast<long double>(s) * s)) / factorial /
                   std::pow(static_cast<long double>(t), k));
  }
  power.push_back(1);
  for (int n = 1; n <= a; ++n) {
    long double sum = 0;
    for (int k = 1; k <= n; ++k) sum += (k * (static_cast<long double>(t) + 1) - n) * base[k] * power[n - k];
    power.push_back(sum / n);
  }
  return power[a] * factorial;
}

TEST(RandomAllocation, JumpOfTheTransformIsItsImaginaryPart) {
  for (const double s : {0.4, 1.0, 3.0, 6.0}) {
    const Transform transform(s);
    for (const double w : {0.3, 0.5, 0.7}) {
      const double jump = std::exp(transform.log_jump(w)), arg = transform.centred_log(-w).imag();
      if (jump < 1e-6) continue;  // below that only the jump itself is accurate
      EXPECT_NEAR(jump / -std::sin(arg), 1, 1e-8) << s << " " << w;
    }
  }
}

TEST(RandomAllocation, MomentsOfWholeOrders) {
  struct Case {
    double t, s;
  };
  for (const auto& [t, s] : {Case{2, 0.5}, Case{3, 1}, Case{10, 0.6}, Case{235, 0.8}, Case{1000, 1}, Case{1e4, 3}}) {
    const RandomAllocationCurve curve(t, s);
    for (const int a : {2, 3, 5, 8}) {
      SCOPED_TRACE(testing::Message() << "t " << t << ", s " << s << ", order " << a);
      const LogMoment k = curve.log_moment(a - 1.0, Direction::remove);
      const auto truth = static_cast<double>(std::log(whole_moment(a, t, s)));
      EXPECT_NEAR(k.value, truth, k.error + 1e-15 * truth + 1e-17);
      EXPECT_LE(k.error, 1e-10 * truth);
    }
  }
}

// Larger t never costs more, and one Gaussian step bounds all of them.
TEST(RandomAllocation, MoreStepsNeverCostMore) {
  for (const double s : {0.5, 1.0, 4.0}) {
    for (const Direction direction : test::both_directions) {
      for (const double z : {0.01, 1.0, 7.5}) {
        double before = z * (z + 1) / (2 * s * s);
        for (const double t : {2.0, 3.0, 40.0, 1e4}) {
          const LogMoment k = RandomAllocationCurve(t, s).log_moment(z, direction);
          EXPECT_LE(k.value - k.error, before * (1 + 1e-14));
          EXPECT_GT(k.value, 0);
          before = k.value + k.error;
        }
      }
    }
  }
}

TEST(RandomAllocation, HugeOrdersHaveBounds) {
  const RandomAllocationCurve curve(1000, 1);
  for (const Direction direction : test::both_directions) {
    double before = 0;
    for (const double z : {10.0, 1e3, 1e6, 1e12}) {
      const LogMoment k = curve.log_moment(z, direction);
      EXPECT_GE(k.value + k.error, before);
      EXPECT_LE(k.value - k.error, 0.5 * z * (z + 1));
      before = k.value - k.error;
    }
  }
}

// phi(y) is a characteristic function whose modulus is at most exp(-y^2/(2 t s^2)).
TEST(RandomAllocation, LinesDecayAsProved) {
  const RandomAllocationCurve curve(20, 0.9);
  for (const Direction direction : test::both_directions) {
    const auto line = curve.line(2.5, direction);
    for (const double y : {0.1, 1.0, 5.0, 12.0}) {
      const ComplexLogMoment phi = line->log_phi(y);
      EXPECT_LE(phi.value.real() - phi.error, -y * y / (2 * 20 * 0.81));
      EXPECT_LE(phi.value.real() - phi.error, line->decay(y));
    }
  }
}

}  // namespace
}  // namespace renyi::random_allocation::curve_test
