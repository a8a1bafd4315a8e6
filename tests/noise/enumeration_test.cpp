// Every random word enumerated, with words of 8 bits: the samplers have exactly the laws that they are named after.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <vector>

#include "certify/ball/ball.h"
#include "noise/fair_exponential.h"
#include "noise/grid.h"
#include "noise/half_normal.h"
#include "noise/integer_laws.h"
#include "support/enumerate.h"
#include "support/enumerated_laws.h"

namespace renyi::noise {
namespace enumeration_test {

using certify::Ball;
using certify::Precision;
using namespace enumerated;  // NOLINT(google-build-using-namespace): the stages of the samplers
using test::Constant;
using test::Enumerated;
using test::Enumerator;

constexpr std::uint64_t slack = std::uint64_t{1} << 56U;
constexpr Knowledge words_of_8_bits{.slack = slack};
// Most lanes near the threshold go to the second tier, and of these most to the slow one.
constexpr Knowledge widened{.slack = slack, .widened = 0.05};
constexpr double second_widened = 0.02;

// What an enumeration says about a law: masses of the outcomes, accepted in all, and not decided.
struct Masses {
  std::map<std::int64_t, double> accepted;
  double in_all = 0, undecided = 0;
  std::uint64_t disagreements = 0;
};
Masses masses_of(const Enumerated& enumeration) {
  Masses masses{{}, enumeration.accepted_in_all, enumeration.undecided, enumeration.disagreements};
  for (const auto& [outcome, places] : enumeration.accepted)
    for (const double mass : places) masses.accepted[outcome] += mass;
  return masses;
}

// Rounds x + noise to the grid for every signed cell and every place.
Masses rounded(const Enumerated& enumeration, double x, const Scale& scale, const Knowledge& knowledge) {
  Masses result{{}, enumeration.accepted_in_all, enumeration.undecided, enumeration.disagreements};
  constexpr std::size_t lanes = 256;
  std::vector<std::uint64_t> whole(lanes), fraction(lanes), rest(lanes), negative(lanes), place(lanes),
      undecided(lanes);
  const FixedValues values{whole.data(), fraction.data(), rest.data(), negative.data()};
  to_fixed(std::vector<double>(lanes, x).data(), lanes, 1, 0x1p51, values);
  const FineValue fine{whole[0], negative[0], wide(fraction[0], rest[0])};
  for (unsigned p = 0; p < 256; ++p) place[p] = std::uint64_t{p} << 56U;
  for (const auto& [outcome, places] : enumeration.accepted) {
    const auto cell = static_cast<std::uint64_t>(outcome);
    std::vector<std::int64_t> value(lanes);
    place_on_grid(values, std::vector<std::uint64_t>(lanes, cell).data(), place.data(), lanes, scale.fixed(), knowledge,
                  value.data(), undecided.data());
    auto add = [&, last = result.accepted.end()](std::int64_t n, double mass) mutable {
      // Places next to each other mostly have the same outcome.
      if (last == result.accepted.end() || last->first != n) last = result.accepted.try_emplace(n).first;
      last->second += mass;
    };
    for (unsigned both = 0; both < 65536; ++both) {
      const double mass = places[both];
      const Rounded second = round_sum(fine, cell, short_span(both), scale);
      if (undecided[both >> 8U] == 0) {
        add(value[both >> 8U], mass);
        if (second.is_decided && second.value != value[both >> 8U]) ++result.disagreements;
      } else if (second.is_decided) {
        add(second.value, mass);
      } else {
        double left = 1;
        for (const auto& [n, share] : by_third_words([&](Further source) {
               ShortNumber u = short_number(both);
               return round_sum_slowly(source, Ball(x), cell, u, scale);
             })) {
          add(n, mass * share);
          left -= share;
        }
        result.undecided += mass * left;
      }
    }
  }
  return result;
}

// The number of outcomes from -30 to 30 whose exact probability is outside of what the enumeration allows: the
// undecided mass may belong to any outcome, or to none.
int faults(const Masses& masses, const std::function<Ball(std::int64_t)>& exact) {
  const Precision precision(128);
  const double rounding = 1e-12, all = masses.in_all + masses.undecided;
  int result = masses.disagreements == 0 ? 0 : 1;
  for (std::int64_t n = -30; n <= 30; ++n) {
    const auto found = masses.accepted.find(n);
    const double mass = found == masses.accepted.end() ? 0 : found->second;
    const Ball p = exact(n);
    const bool is_right = surely_at_most(Ball(mass / all - rounding), p) &&
                          surely_at_most(p, Ball((mass + masses.undecided) / all + rounding));
    if (!is_right) ++result;
  }
  return result;
}
void expect_law(const Masses& masses, const std::function<Ball(std::int64_t)>& exact) {
  EXPECT_LT(masses.undecided / masses.in_all, 1e-4);
  EXPECT_EQ(masses.disagreements, 0U);
  EXPECT_EQ(faults(masses, exact), 0);
}

Ball gaussian_on_grid(double x, double stddev, std::int64_t n) {
  const Ball middle = Ball(n) - Ball(x), half(0.5);
  return normal_below((middle + half) / Ball(stddev)) - normal_below((middle - half) / Ball(stddev));
}
Ball laplace_below(const Ball& t) {
  if (surely_at_most(t, Ball(0))) return exp(t) / Ball(2);
  return Ball(1) - exp(-t) / Ball(2);
}
Ball laplace_on_grid(double x, double scale, std::int64_t n) {
  const Ball middle = Ball(n) - Ball(x), half(0.5);
  return laplace_below((middle + half) / Ball(scale)) - laplace_below((middle - half) / Ball(scale));
}
Ball discrete_gaussian_mass(double stddev, std::int64_t n) {
  const auto weight = [&](std::int64_t m) { return exp(-square(Ball(m) / Ball(stddev)) / Ball(2)); };
  Ball sum;
  for (std::int64_t m = -80; m <= 80; ++m) sum += weight(m);
  // Beyond 80 the weights are below exp(-280) in all.
  return weight(n) / Ball::hull(sum, sum + Ball(0x1p-200));
}
Ball discrete_laplace_mass(double scale, std::int64_t n) {
  const Ball q = exp(Ball(-1) / Ball(scale));
  return (Ball(1) - q) / (Ball(1) + q) * exp(-Ball(std::abs(n)) / Ball(scale));
}
Ball geometric_mass(double scale, std::int64_t n) {
  return n < 0 ? Ball(0) : -expm1(Ball(-1) / Ball(scale)) * exp(-Ball(n) / Ball(scale));
}

void say(const char* law, const Enumerated& enumeration, double undecided) {
  std::cout << law << ": accepted " << enumeration.accepted_in_all << ", undecided " << undecided
            << ", past the first tier " << enumeration.later << "\n";
}

const std::vector<double> scales{0.6, 1, 1.7};
const std::vector<double> points{0, 0.5, -0.3, 2.25 + 0x1p-40, 1e-300, -7.75};

template <class GridLawStages>
void expect_grid_law(const char* name, Scale (*scale_of)(double, double), Ball (*exact)(double, double, std::int64_t)) {
  for (const bool is_widened : {false, true}) {
    SCOPED_TRACE(is_widened);
    const Knowledge& knowledge = is_widened ? widened : words_of_8_bits;
    const GridLawStages stages(is_widened ? second_widened : 0);
    const Enumerated enumeration = Enumerator(stages, knowledge).run();
    EXPECT_GT(enumeration.later, is_widened ? 0.05 : 0.01);
    double undecided = 0;
    for (const double scale : is_widened ? std::vector<double>{1.7} : scales) {
      for (const double x : is_widened ? std::vector<double>{-0.3} : points) {
        SCOPED_TRACE(testing::Message() << "scale " << scale << ", x " << x);
        const Masses masses = rounded(enumeration, x, scale_of(scale, 1), knowledge);
        expect_law(masses, [&](std::int64_t n) { return exact(x, scale, n); });
        undecided = std::max(undecided, masses.undecided);
        // The same masses do not pass for a scale that is wrong by a part in 500, nor for another x.
        EXPECT_GT(faults(masses, [&](std::int64_t n) { return exact(x, 1.002 * scale, n); }), 0);
        EXPECT_GT(faults(masses, [&](std::int64_t n) { return exact(x + 0.002, scale, n); }), 0);
      }
    }
    say(name, enumeration, undecided);
  }
}

TEST(Enumeration, GaussianNoiseOnAGridHasItsLaw) {
  expect_grid_law<HalfNormalStages>("gaussian", Scale::of, gaussian_on_grid);
}
TEST(Enumeration, LaplaceNoiseOnAGridHasItsLaw) {
  expect_grid_law<FairStages>("laplace", Scale::of_binary, laplace_on_grid);
}

void expect_discrete_law(const char* name, const Stages& stages, const Knowledge& knowledge,
                         const std::function<Ball(double, std::int64_t)>& exact, double scale) {
  SCOPED_TRACE(scale);
  const Enumerated enumeration = Enumerator(stages, knowledge).run();
  const Masses masses = masses_of(enumeration);
  expect_law(masses, [&](std::int64_t n) { return exact(scale, n); });
  EXPECT_GT(faults(masses, [&](std::int64_t n) { return exact(1.002 * scale, n); }), 0);
  EXPECT_GT(enumeration.later, knowledge.widened > 0 ? 0.05 : 0.01);
  say(name, enumeration, masses.undecided);
}

TEST(Enumeration, DiscreteGaussianHasItsLaw) {
  for (const double scale : scales)
    expect_discrete_law("discrete gaussian", DiscreteGaussianStages(scale, 0), words_of_8_bits, discrete_gaussian_mass,
                        scale);
  expect_discrete_law("discrete gaussian, widened", DiscreteGaussianStages(1.7, second_widened), widened,
                      discrete_gaussian_mass, 1.7);
}
TEST(Enumeration, DiscreteLaplaceAndGeometricHaveTheirLaws) {
  using Sides = DiscreteLaplace::Sides;
  for (const double scale : scales)
    expect_discrete_law("discrete laplace", DiscreteLaplaceStages(scale, Sides::two, 0), words_of_8_bits,
                        discrete_laplace_mass, scale);
  expect_discrete_law("discrete laplace, widened", DiscreteLaplaceStages(1.7, Sides::two, second_widened), widened,
                      discrete_laplace_mass, 1.7);
  expect_discrete_law("geometric", DiscreteLaplaceStages(0.6, Sides::one, 0), words_of_8_bits, geometric_mass, 0.6);
}

// On a part of all lanes: what the first tier decides, the slow tier decides in the same way, whatever follows.
template <class Law>
void expect_the_slow_tier_agrees(const Law& law) {
  constexpr std::size_t lanes = 65536;
  std::vector<std::uint64_t> cell(lanes), place(lanes), acceptance(lanes), out(lanes), accepted(lanes),
      undecided(lanes);
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < lanes; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    cell[i] = (state >> 56U) << 56U;
    place[i] = (state >> 48U) << 56U;
    acceptance[i] = (state >> 40U) << 56U;
  }
  law.attempts({cell.data(), place.data(), acceptance.data()}, lanes, words_of_8_bits,
               reinterpret_cast<std::int64_t*>(out.data()), {accepted.data(), undecided.data()});
  for (std::size_t i = 0; i < lanes; i += 97) {
    if (undecided[i] != 0) continue;
    for (const std::uint8_t further : {std::uint8_t{0}, std::uint8_t{255}}) {
      const auto number = [&](std::uint64_t word) {
        return ShortNumber(static_cast<std::uint8_t>(word >> 56U), further);
      };
      Constant source{further};
      AttemptNumbers<std::uint8_t> numbers{number(cell[i]), number(place[i]), number(acceptance[i])};
      const Outcome outcome = law.slowly(source, numbers);
      EXPECT_EQ(outcome.is_accepted, accepted[i] != 0);
      if (outcome.is_accepted) {
        EXPECT_EQ(outcome.value, static_cast<std::int64_t>(out[i]));
      }
      // So does the second tier, where it decides.
      const auto span = [&](std::uint64_t word) { return span_of(number(word)); };
      const Outcome second = law.second({span(cell[i]), span(place[i]), span(acceptance[i])});
      EXPECT_TRUE(second.is_decided);
      EXPECT_EQ(second.is_accepted, outcome.is_accepted);
      if (outcome.is_accepted) {
        EXPECT_EQ(second.value, outcome.value);
      }
    }
  }
}
// A continuous law's candidates as outcomes.
template <class Law>
struct Candidates {
  static void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::int64_t* out,
                       const Marks& marks) {
    Law::attempts(words, count, knowledge, reinterpret_cast<std::uint64_t*>(out), marks);
  }
  static Outcome outcome(const Candidate& candidate) {
    return {static_cast<std::int64_t>(candidate.signed_cell), candidate.is_accepted, candidate.is_decided};
  }
  static Outcome second(const AttemptSpans& spans) { return outcome(Law::second(spans)); }
  template <class Source>
  static Outcome slowly(Source& source, AttemptNumbers<std::uint8_t>& numbers) {
    return outcome(Law::slowly(source, numbers));
  }
};
TEST(Enumeration, TheTiersAgreeOnExtremeContinuations) {
  expect_the_slow_tier_agrees(Candidates<HalfNormal>());
  expect_the_slow_tier_agrees(Candidates<FairExponential>());
  expect_the_slow_tier_agrees(DiscreteGaussian(1.7));
  expect_the_slow_tier_agrees(DiscreteLaplace(1.7, DiscreteLaplace::Sides::two));
}

// A first tier with a wrong table: its cells end too early.
class ShiftedCells : public HalfNormalStages {
 public:
  ShiftedCells() : HalfNormalStages(0) {}
  void attempts(const Words& words, std::size_t count, const Knowledge& knowledge, std::uint64_t* out,
                const Marks& marks) const override {
    CellFloors floors = Cells::plain().floors();
    floors.floor[1] -= slack;
    normal_attempts(words, count, floors, knowledge, out, marks);
  }
};
TEST(Enumeration, NoticesAWrongTable) {
  const Enumerated enumeration = Enumerator(ShiftedCells(), words_of_8_bits).run();
  EXPECT_GT(enumeration.disagreements, 0U);
  Masses masses = rounded(enumeration, 0, Scale::of(1, 1), words_of_8_bits);
  masses.disagreements = 0;  // the masses alone show it as well
  EXPECT_GT(faults(masses, [](std::int64_t n) { return gaussian_on_grid(0, 1, n); }), 0);
}

}  // namespace enumeration_test
}  // namespace renyi::noise
