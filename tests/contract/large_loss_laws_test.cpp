// Every mechanism under every sampling and relation, at losses of one step up to 1e5: no mass is lost where a law's
// probabilities are too small for a double, so that nothing that reveals more, or is run more often, costs less.
// RENYI_SWEEP=full takes a finer ladder of losses (make check); the combinations asked are printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string_view>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "mechanism/curve.h"
#include "renyi/exact.h"
#include "support/large_losses.h"

namespace renyi::large_loss_laws_test {
namespace {

using test::infinity;

bool is_full() {
  const char* asked = std::getenv("RENYI_SWEEP");
  return asked != nullptr && std::string_view(asked) == "full";
}

// Returns losses l on both sides of the points where exp(-l), exp(-l/2) and exp(-2l) leave the range of doubles.
std::vector<double> losses() {
  if (is_full()) return {20, 180, 365, 375, 705, 720, 746, 1500, 9000, 1e5};
  return {365, 720, 1e5};
}

constexpr Neighbors relations[] = {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out};

// Ladders of samplings of one scheme, each step of which sees more; and no sampling.
std::vector<std::vector<std::optional<Sampling>>> ladders() {
  if (!is_full()) {
    return {{std::nullopt},
            {Sampling::poisson(0.15), Sampling::poisson(0.6)},
            {Sampling::fixed_size(1000, 300)},
            {Sampling::with_replacement(50, 1)},
            {Sampling::truncated_poisson(0.1, 60, 9)},
            {Sampling::shuffled(12)}};
  }
  return {{std::nullopt},
          {Sampling::poisson(1e-9), Sampling::poisson(0.15), Sampling::poisson(0.6)},
          {Sampling::fixed_size(1000, 30), Sampling::fixed_size(1000, 300)},
          {Sampling::with_replacement(50, 1), Sampling::with_replacement(50, 3)},
          {Sampling::truncated_poisson(0.1, 60, 9), Sampling::truncated_poisson(0.1, 60, 4)},
          {Sampling::shuffled(12)}};
}

constexpr double delta = 0.01;
constexpr std::int64_t counts[] = {1, 40};

// The costs of one plan: what is known from below, and the upper bounds.
struct Cost {
  double at_least = 0;
  double at_most = infinity;  // the smaller of both bounds
  double renyi = infinity;
};

// Wide intervals are asked for: a law is about what is far from the truth.
Cost cost_of(const Plan& plan, double loss) {
  Cost cost;
  cost.at_most = cost.renyi = renyi_epsilon(plan, delta).upper;
  try {
    const ExactInterval exact =
        PrivacyProfile(plan, {.tolerance = 1e-2 * (1 + loss), .memory = std::size_t{32} << 20}).epsilon(delta).worst;
    EXPECT_LE(exact.lower, exact.upper);
    EXPECT_EQ(exact.contradiction, "");
    cost.at_least = exact.lower;
    cost.at_most = exact.upper;
  } catch (const Unsupported&) {  // bounds on divergences only
  }
  return cost;
}

class Sweep {
 public:
  void run() {
    for (const Mechanism& m : all_mechanisms()) {
      for (const auto& ladder : ladders()) {
        if (ladder.front() && !m.sampling_obstacle().empty()) continue;
        // What another mechanism stands for is sampled as that one is.
        const bool is_other = m.equivalent() && ladder.front() && ladder.front()->scheme != Scheme::poisson;
        if (is_other && !is_full()) continue;
        for (const Neighbors neighbors : relations) along(m, ladder, neighbors);
      }
    }
  }
  std::size_t combinations() const { return combinations_; }
  double largest() const { return largest_; }

 private:
  using Row = std::vector<std::optional<Cost>>;

  // Rows are losses, columns samplings: costs rise along both, and with the count.
  void along(const Mechanism& usual, const std::vector<std::optional<Sampling>>& ladder, Neighbors neighbors) {
    std::vector<Row> before;  // the row before, for each count
    for (const double loss : losses()) {
      const auto inner = test::with_large_loss(usual, loss);
      if (!inner) continue;
      SCOPED_TRACE(fmt::format("{}, loss {}, {}", test::describe(*inner), loss, to_string(neighbors)));
      std::vector<Row> here;
      for (const std::int64_t count : counts) here.push_back(costs(*inner, ladder, neighbors, count, loss));
      for (std::size_t i = 0; i < here.size(); ++i) {
        for (std::size_t k = 0; k < ladder.size(); ++k) {
          if (!before.empty()) expect_not_above(before[i][k], here[i][k], "a smaller loss");
          if (k > 0) expect_not_above(here[i][k - 1], here[i][k], "seeing less");
          if (i > 0) expect_not_above(here[i - 1][k], here[i][k], "fewer steps");
        }
      }
      before = std::move(here);
    }
  }

  Row costs(const Mechanism& inner, const std::vector<std::optional<Sampling>>& ladder, Neighbors neighbors,
            std::int64_t count, double loss) {
    Row row;
    // Many steps of one huge loss take long, and are no other case than many of a large one.
    const bool is_repeated = count > 1 && loss > 1e4 && !is_full();
    for (const auto& sampling : ladder) {
      row.push_back(std::nullopt);
      if (is_repeated) continue;
      SCOPED_TRACE(sampling ? std::string(to_string(sampling->scheme)) : "unsampled");
      try {
        const Mechanism said = sampling ? inner.sampled_by(*sampling) : inner;
        row.back() = cost_of(Plan(neighbors).add(said, count), loss);
        ++combinations_;
        largest_ = std::max(largest_, loss);
      } catch (const Unsupported&) {  // SamplerLaws checks that unsupported steps give a reason
      }
    }
    return row;
  }

  static void expect_not_above(const std::optional<Cost>& less, const std::optional<Cost>& more, const char* what) {
    if (!less || !more) return;
    EXPECT_LE(less->at_least, more->at_most * (1 + 1e-12)) << what << " costs more than the exact upper end";
    EXPECT_LE(less->at_least, more->renyi * (1 + 1e-12)) << what << " costs more than the Renyi bound";
  }

  std::size_t combinations_ = 0;
  double largest_ = 0;
};

TEST(LargeLossLaws, WhatRevealsMoreNeverCostsLess) {
  Sweep sweep;
  sweep.run();
  fmt::print("{} combinations, losses of one step up to {}\n", sweep.combinations(), sweep.largest());
  EXPECT_GT(sweep.combinations(), 500U);
  EXPECT_EQ(sweep.largest(), 1e5);
}

// H_s((1-g) Q + g P || Q) = g H_t(P || Q) with s = 1 + g (t - 1): one step on a Poisson sample has g times the delta of
// the step itself, at another epsilon (docs/math/sampling.md).
TEST(LargeLossLaws, OneStepOnAPoissonSampleIsTheStepItselfScaled) {
  int asked = 0;
  for (const Mechanism& m : all_mechanisms()) {
    if (!m.sampling_obstacle().empty()) continue;
    for (const double loss : losses()) {
      const auto inner = test::with_large_loss(m, loss);
      if (!inner || analysed(*inner, {}).curve()->knowledge() == Knowledge::orders) continue;
      for (const double g : {0.15, 1e-6}) {
        for (const double t : {0.3, 5.0, 0.99 * loss, 0.5 * loss}) {
          SCOPED_TRACE(fmt::format("{}, loss {}, rate {}, epsilon {}", test::describe(*inner), loss, g, t));
          const double s = t < 500 ? std::log1p(g * std::expm1(t)) : t + std::log(g);
          const Plan sampled = Plan().add(inner->sampled_by(Sampling::poisson(g)));
          if (compose(sampled)->knowledge() == Knowledge::orders) continue;
          const ExactInterval whole = PrivacyProfile(Plan().add(*inner)).delta(t).remove;
          // The epsilons are rounded too.
          const double rounding = 1e-13 * (1 + t) * std::max(1.0, loss);
          const ExactInterval above = PrivacyProfile(sampled).delta(std::max(0.0, s - rounding)).remove;
          const ExactInterval below = PrivacyProfile(sampled).delta(s + rounding).remove;
          EXPECT_LE(g * whole.lower * (1 - 1e-12), above.upper);
          EXPECT_LE(below.lower, g * whole.upper * (1 + 1e-12));
          ++asked;
        }
      }
    }
  }
  EXPECT_GT(asked, 150);
}

// Masses of all atoms, and of infinite losses, add up to 1 under either law.
TEST(LargeLossLaws, NoMassIsLost) {
  int asked = 0;
  for (const Mechanism& m : all_mechanisms()) {
    for (const auto& ladder : ladders()) {
      if (ladder.front() && !m.sampling_obstacle().empty()) continue;
      for (const auto& sampling : ladder) {
        for (const Neighbors neighbors : relations) {
          for (const double loss : losses()) {
            const auto inner = test::with_large_loss(m, loss);
            if (!inner) continue;
            SCOPED_TRACE(fmt::format("{}, loss {}, {}", test::describe(*inner), loss, to_string(neighbors)));
            std::shared_ptr<const mechanism::AtomicCurve> curve;
            try {
              curve =
                  mechanism::atomic_curve_of(analysed(sampling ? inner->sampled_by(*sampling) : *inner, {neighbors}));
            } catch (const Unsupported&) {
            }
            if (!curve || !curve->is_listed()) continue;
            for (const Direction direction : test::both_directions) {
              double total = curve->infinite_mass(direction).upper();
              for (const auto& atom : curve->atoms(direction)) total += atom.p.value;
              total += std::exp(curve->left_out(direction).log_above) + std::exp(curve->left_out(direction).log_below);
              EXPECT_GE(total, 1 - 1e-11) << test::name_of(direction);
              ++asked;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(asked, 200);
}

}  // namespace
}  // namespace renyi::large_loss_laws_test
