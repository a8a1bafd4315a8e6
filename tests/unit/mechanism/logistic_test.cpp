// Logistic noise: its curve, its exact figures and its steps on samples, against integrals straight from the density.
#include <gtest/gtest.h>

#include <cmath>

#include "exact/privacy_profile.h"
#include "mechanism/law.h"
#include "mechanism/monotone/pairs_curve.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "support/line_pair.h"

namespace renyi::test::logistic_test {
namespace {

Mechanism logistic(double scale, double sensitivity = 1) {
  return make_mechanism("logistic", {{"scale", scale}, {"sensitivity", sensitivity}});
}

Real log_logistic(Real x, Real mean, Real s) {
  const Real y = std::abs(x - mean) / s;
  return -y - 2 * std::log1p(std::exp(-y)) - std::log(s);
}

// (1-q) Logistic(0, s) + q Logistic(d, s) against Logistic(0, s).
LinePair line(Real q, Real s, Real d) {
  return {[=](Real x) {
            if (q == 1) return log_logistic(x, d, s);
            return log_mix(logs({1 - q, q}), [&](std::size_t i) { return log_logistic(x, i == 0 ? 0 : d, s); });
          },
          [=](Real x) { return log_logistic(x, 0, s); },
          {-60 * s, 0, d / 2, d, d + 60 * s}};
}

// int max(0, P - exp(epsilon) Q), from where the loss is epsilon.
Real delta(LinePair pair, Real epsilon) {
  Real low = pair.cuts.front(), high = pair.cuts.back();
  const bool rises = pair.loss(low) < pair.loss(high);
  for (int i = 0; i < 200; ++i) {
    const Real middle = (low + high) / 2;
    ((pair.loss(middle) < epsilon) == rises ? low : high) = middle;
  }
  std::vector<Real> cuts{low};
  for (const Real cut : pair.cuts) {
    if (rises ? cut > low : cut < low) cuts.push_back(cut);
  }
  std::sort(cuts.begin(), cuts.end());
  pair.cuts = cuts;
  return pair.integral<Real>([&](Real x) { return -std::exp(pair.log_p(x)) * std::expm1(epsilon - pair.loss(x)); });
}

struct Setting {
  double scale;
  double sensitivity;
};
constexpr Setting settings[] = {{50, 1}, {2, 1}, {1, 1}, {3, 7.5}, {0.1, 1}};

TEST(Logistic, MomentsAreThoseOfItsDensity) {
  for (const auto& [s, d] : settings) {
    const auto curve = logistic(s, d).curve();
    const LinePair pair = line(1, s, d);
    for (const double z : {0.01, 0.5, 1.0, 4.0, 30.0}) {
      const LogMoment k = curve->log_moment(z, Direction::remove);
      const Real truth = std::log1p(pair.centred(z));
      EXPECT_NEAR(k.value, static_cast<double>(truth), k.error + 1e-14 * static_cast<double>(truth)) << s << " " << z;
      EXPECT_EQ(k.value, curve->log_moment(z, Direction::add).value);
      EXPECT_LE(k.error, 1e-12 * k.value);
    }
    const ComplexLogMoment k = curve->log_moment({0.7, 3}, Direction::remove);
    const auto truth = pair.moment(std::complex<Real>(0.7L, 3));
    EXPECT_LE(std::abs(std::exp(std::complex<Real>(k.value) - std::log(truth)) - 1.0L), k.error + 1e-14);
  }
}

TEST(Logistic, OrdersBelowOneAndCumulantsAreThoseOfItsDensity) {
  for (const auto& [s, d] : settings) {
    const auto curve = logistic(s, d).curve();
    const LinePair pair = line(1, s, d);
    for (const double a : {0.25, 0.5, 0.9}) {
      const Bounded c = curve->chernoff(a, Direction::remove);
      const Real truth =
          -std::log(pair.integral<Real>([&](Real x) { return std::exp(a * pair.log_p(x) + (1 - a) * pair.log_q(x)); }));
      EXPECT_NEAR(c.value, static_cast<double>(truth), c.error + 1e-15);
    }
    const Cumulants found = curve->cumulants(Direction::remove);
    const Real mean = pair.loss_moment(1);
    const auto central = [&](int n) {
      return static_cast<double>(pair.integral<Real>(
          [&](Real x) { return std::exp(pair.log_p(x)) * std::pow(pair.loss(x) - mean, static_cast<Real>(n)); }));
    };
    EXPECT_NEAR(found.mean, static_cast<double>(mean), found.mean_error + 1e-15);
    EXPECT_NEAR(found.variance, central(2), found.variance_error + 1e-14 * central(2));
    EXPECT_NEAR(found.third, central(3), found.third_error + 1e-14 * std::abs(central(3)) + 1e-17);
  }
}

TEST(Logistic, OneStepHasTheDeltaOfItsDensity) {
  for (const auto& [s, d] : settings) {
    const PrivacyProfile accountant(Plan().add(logistic(s, d)));
    const Real e = static_cast<Real>(d) / s;
    for (const double share : {0.0, 0.1, 0.5, 0.9, 0.999}) {
      const double epsilon = share * d / s;
      const ExactAnswer found = accountant.delta(epsilon);
      const auto truth = static_cast<double>(delta(line(1, s, d), epsilon));
      EXPECT_LE(found.worst.lower, truth * (1 + 1e-12)) << s << " " << share;
      EXPECT_GE(found.worst.upper, truth * (1 - 1e-12));
      EXPECT_LE(found.worst.upper - found.worst.lower, 1e-10 * truth);
      EXPECT_EQ(found.worst.engine, Engine::closed_form);
      // exp(L/2) is uniform.
      const Real fall = std::expm1((epsilon - e) / 2), known = fall * fall / -std::expm1(-e);
      EXPECT_NEAR(truth, static_cast<double>(known), 1e-12 * truth);
    }
    EXPECT_EQ(accountant.delta(d / s * (1 + 1e-12)).worst.upper, 0);
  }
}

TEST(Logistic, StepsComposeAlikeByEveryEngine) {
  const Plan plan = Plan().add(logistic(4), 40);
  const ExactInterval contour = PrivacyProfile(plan, {.engine = Engine::contour}).delta(1.5).worst;
  const ExactInterval lattice = PrivacyProfile(plan, {.engine = Engine::lattice}).delta(1.5).worst;
  EXPECT_LE(lattice.lower, contour.upper);
  EXPECT_GE(lattice.upper, contour.lower);
  EXPECT_LE(lattice.upper - lattice.lower, 1e-4 * contour.upper);
  EXPECT_GT(contour.lower, 1e-4);
}

TEST(Logistic, SampledStepsAreThoseOfTheMixture) {
  for (const double q : {1e-3, 0.1, 0.7}) {
    for (const auto& [s, d] : settings) {
      const Plan plan = Plan().add(logistic(s, d).sampled_by(Sampling::poisson(q)));
      const auto curve = compose(plan);
      const LinePair pair = line(q, s, d);
      for (const double z : {0.5, 2.0, 9.0}) {
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const LogMoment k = curve->log_moment(z, direction);
          const auto truth =
              static_cast<double>(std::log1p((direction == Direction::remove ? pair : pair.swapped()).centred(z)));
          EXPECT_NEAR(k.value, truth, k.error + 1e-13 * truth) << q << " " << s << " " << z;
        }
      }
      const double largest = std::log1p(q * std::expm1(d / s)), epsilon = 0.3 * largest;
      const ExactAnswer found = PrivacyProfile(plan).delta(epsilon);
      const auto remove = static_cast<double>(delta(pair, epsilon));
      EXPECT_LE(found.remove.lower, remove * (1 + 1e-11)) << q << " " << s;
      EXPECT_GE(found.remove.upper, remove * (1 - 1e-11));
      const double near = 0.3 * -std::log1p(q * std::expm1(-d / s));
      const ExactAnswer other = PrivacyProfile(plan).delta(near);
      const auto add = static_cast<double>(delta(pair.swapped(), near));
      EXPECT_LE(other.add.lower, add * (1 + 1e-11));
      EXPECT_GE(other.add.upper, add * (1 - 1e-11));
    }
  }
}

// Two records that replace each other are twice as far apart: never below the pair with both of them.
TEST(Logistic, ExchangedRecordsOnASampleAreTwiceAsFarApart) {
  const Plan plan = Plan(Neighbors::replace_one).add(logistic(2).sampled_by(Sampling::fixed_size(10, 1)));
  const auto far = line(0.1L, 2, 2);
  const double found = PrivacyProfile(plan).delta(0.05).worst.upper;
  EXPECT_GE(found, static_cast<double>(delta(far, 0.05L)) * (1 - 1e-10));
  EXPECT_LE(found, static_cast<double>(delta(far, 0.05L)) * (1 + 1e-10));
}

TEST(Logistic, GroupsMultiplyTheSensitivity) {
  const auto three = logistic(2, 0.25).for_group(3);
  ASSERT_TRUE(three.has_value());
  EXPECT_EQ(*three, logistic(2, 0.75));
  EXPECT_FALSE(logistic(2, 9000).for_group(2).has_value());
  const Plan group = Plan(Neighbors::add_or_remove_one, 3).add(logistic(2, 0.25));
  EXPECT_EQ(rdp(*compose(group), 4).value, rdp(*logistic(2, 0.75).curve(), 4).value);
  EXPECT_EQ(compose(group)->worst_max_loss().value, 0.375);
}

TEST(Logistic, ThePairKeepsWhatPairsPromise) {
  for (const auto& [s, d] : settings) {
    const auto curve = logistic(s, d).curve();
    const mechanism::Law law = curve->law();
    ASSERT_TRUE(law.is<mechanism::RevealedPairs>());
    const auto& pair = *law.get_if<mechanism::RevealedPairs>()->curve->components().front().pair;
    const Real e = static_cast<Real>(d) / s;
    monotone::PairPoint before{};
    for (double y = -30; y <= d / s + 30; y += 0.37) {
      const monotone::PairPoint at = pair.at(y);
      const Real log_q = log_logistic(y, 0, 1), log_p = log_logistic(y, e, 1);
      EXPECT_NEAR(at.log_q, static_cast<double>(log_q), at.log_q_error);
      EXPECT_NEAR(at.log_p, static_cast<double>(log_p), at.log_p_error);
      EXPECT_LE(std::abs(at.loss - (log_p - log_q)), at.loss_error + 1e-18L * (1 + std::abs(log_q))) << s << " " << y;
      EXPECT_NEAR(at.slope(), at.up + at.down, 1e-15);
      EXPECT_TRUE(at.up >= 0 && at.down <= 0);
      const Real above = 1 / (1 + std::exp(static_cast<Real>(y)));
      EXPECT_GE(pair.log_q_above(y), std::log(above) - 1e-15L);
      EXPECT_LE(pair.log_q_above(y), std::log(above) + 1e-11L);
      if (at.slope() > 1e-6) {
        EXPECT_NEAR(pair.x_at(at.loss), y, 1e-9 * (1 + std::abs(y)));
      }
      if (y > -30) {
        EXPECT_LE(before.up, at.up);
        EXPECT_GE(before.down, at.down);
        EXPECT_GE(before.base, at.base);
        EXPECT_LE(before.loss, at.loss + at.loss_error);
      }
      before = at;
    }
    EXPECT_EQ(pair.loss(pair.zero()), 0);
  }
}

TEST(Logistic, SaysWhereItComesFromAndWhatIsAllowed) {
  const Notes notes = logistic(1).notes();
  ASSERT_EQ(notes.references.size(), 2U);
  for (const Reference& reference : notes.references) {
    EXPECT_NE(reference.bibtex.find(reference.key), std::string_view::npos);
  }
  EXPECT_THROW(logistic(0), InvalidArgument);
  EXPECT_THROW(static_cast<void>(make_mechanism("logistic")), InvalidArgument);
}

}  // namespace
}  // namespace renyi::test::logistic_test
