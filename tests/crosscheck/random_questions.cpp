#include "crosscheck/random_questions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/extras/certify.h"
#include "renyi/rdp.h"

namespace renyi::crosscheck {

using test::RandomInputs;

namespace random_questions_file {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double last_order = 1e4;  // largest order of certified divergences

double beside(RandomInputs& in, double value) {
  switch (in.below(4)) {
    case 0: return std::nextafter(value, infinity);
    case 1: return std::nextafter(value, 0);
    case 2: return value + 0.5;
    default: return value;
  }
}

// Returns the orders at which the analysis of the mechanism changes: its last order, the order of its moment.
double order_of_change(RandomInputs& in, const Mechanism& m) {
  if (const auto truncated = m.get_if<Tcdp>()) return truncated->omega;
  if (const auto moments = m.get_if<Moments>()) return moments->lambda + 1;
  // At this order sampling stops to help: q exp(a/(2 s^2)) = 1.
  if (const auto sampled = m.get_if<SampledGaussian>(); sampled && sampled->sampling_rate > 0) {
    return -2 * sampled->noise_multiplier * sampled->noise_multiplier * std::log(sampled->sampling_rate);
  }
  return in.log_uniform(1, last_order);
}

double order(RandomInputs& in, const Mechanism& m) {
  switch (in.below(7)) {
    case 0: return in.one_of({1, 1 + 0x1p-52, 1 + 0x1p-51, 1 + 1e-9, 1.5, 2, 3, 64, last_order, infinity});
    case 1: return 1 + in.log_uniform(1e-15, 1);
    case 2: return beside(in, std::floor(in.log_uniform(2, last_order)));
    case 3: return beside(in, order_of_change(in, m));
    case 4: return in.log_uniform(2, 64);
    default: return in.log_uniform(1, last_order);
  }
}

std::int64_t count(RandomInputs& in) {
  if (in.chance(0.3)) return static_cast<std::int64_t>(in.one_of({1, 1, 2, 3, 10}));
  return static_cast<std::int64_t>(in.log_uniform(1, 1e6));
}

// Ordinary values, and now and then a corner.
double ordinary_or(RandomInputs& in, double low, double high, std::initializer_list<double> corners) {
  return in.chance(0.15) ? in.one_of(corners) : in.log_uniform(low, high);
}

Mechanism with_known_loss(RandomInputs& in) {
  switch (in.below(8)) {
    case 0: return Gaussian{ordinary_or(in, 0.3, 100, {0.01, 0.05, 1, 1e4}), ordinary_or(in, 0.5, 2, {1, 30})};
    case 1: return Laplace{ordinary_or(in, 0.3, 30, {0.02, 1, 1e3}), ordinary_or(in, 0.5, 2, {1, 360, 740, 1e3, 1e5})};
    case 2: return RandomizedResponse{in.chance(0.15) ? in.one_of({0.5, 0.3, 0.999}) : in.uniform(0.51, 0.95)};
    case 3: return RandomizedResponse{in.uniform(0.1, 0.9), in.one_of({3, 4, 10, 1000})};
    case 4: return PureDp{ordinary_or(in, 1e-3, 5, {0, 1, 20, 740, 1e5})};
    case 5: return Gdp{ordinary_or(in, 1e-3, 5, {0, 1, 20, 400})};
    default:
      // Losses of one step up to 5,000: exp of them, and of minus them, is beyond the range of doubles.
      return SampledGaussian{ordinary_or(in, 1e-4, 0.9, {0, 1e-6, 0.3, 0.5, 0.999, 1}),
                             ordinary_or(in, 0.3, 10, {0.01, 0.02, 0.1, 0.5, 1, 100})};
  }
}

bool certifiable(const RenyiBound& bound) {
  return bound.conversion != Conversion::total_variation && (bound.order <= last_order || std::isinf(bound.order));
}

// The question that throws is asked again, and then reported.
template <class Answer>
auto unless_it_throws(const Answer& answer) -> std::optional<decltype(answer())> {
  try {
    return answer();
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Both directions where they differ.
void add_epsilons(const PlanAndDelta& asked, bool symmetric, bool both_routes, std::vector<Question>& questions) {
  questions.push_back({Figure::epsilon, asked.plan, asked.delta, Direction::remove, {}, both_routes});
  if (!symmetric) questions.push_back({Figure::epsilon, asked.plan, asked.delta, Direction::add, {}, both_routes});
}

}  // namespace
}  // namespace random_questions_file

RandomInputs inputs_of(std::uint64_t seed, std::uint64_t number) {
  return RandomInputs(seed * 0x9E3779B97F4A7C15ULL + number);
}

Question random_point(RandomInputs& in) {
  for (;;) {
    const Mechanism mechanism = in.mechanism();
    if (has_certified_method(mechanism)) return random_point(in, mechanism);
  }
}

Question random_point(RandomInputs& in, const Mechanism& mechanism) {
  Question question;
  question.at = random_questions_file::order(in, mechanism);
  if (!(question.at >= 1 && question.at <= random_questions_file::last_order))
    question.at = std::isinf(question.at) ? random_questions_file::infinity : random_questions_file::last_order;
  question.direction = in.chance(0.5) ? Direction::remove : Direction::add;
  question.plan.add(mechanism, in.chance(0.7) ? 1 : random_questions_file::count(in));
  question.both_routes = true;
  return question;
}

PlanAndDelta random_plan(RandomInputs& in) {
  PlanAndDelta result;
  for (std::size_t steps = 1 + in.below(3); steps > 0; --steps)
    result.plan.add(random_questions_file::with_known_loss(in), random_questions_file::count(in));
  result.delta = in.chance(0.2) ? in.one_of({1e-30, 0.5}) : in.log_uniform(1e-12, 0.1);
  return result;
}

std::vector<Question> plan_questions(RandomInputs& in, const PlanAndDelta& asked) {
  std::vector<Question> questions;
  const auto bound = random_questions_file::unless_it_throws([&] { return renyi_epsilon(asked.plan, asked.delta); });
  if (!bound || random_questions_file::certifiable(*bound))
    questions.push_back({Figure::renyi_epsilon, asked.plan, asked.delta});
  const bool symmetric = compose(asked.plan)->is_symmetric();
  random_questions_file::add_epsilons(asked, symmetric, in.chance(0.05), questions);
  const auto exact =
      random_questions_file::unless_it_throws([&] { return PrivacyProfile(asked.plan).epsilon(asked.delta); });
  if (!exact || std::isinf(exact->worst.upper)) return questions;
  // The epsilon that is guaranteed for this delta must satisfy it.
  questions.push_back({Figure::delta, asked.plan, exact->worst.upper, exact->direction, asked.delta});
  const double elsewhere = exact->worst.upper * in.uniform(0, 1.5);
  const Direction direction = in.chance(0.5) ? Direction::remove : Direction::add;
  questions.push_back({Figure::delta, asked.plan, elsewhere, direction, {}, in.chance(0.05)});
  return questions;
}

}  // namespace renyi::crosscheck
