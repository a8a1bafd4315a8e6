#include "race/tasks.h"

#include <array>
#include <complex>
#include <stdexcept>
#include <string>

#include "conversion/renyi_bound.h"
#include "exact/privacy_profile.h"
#include "questions.h"

namespace bench {

namespace {

Figure renyi_of(const renyi::Plan& plan, double at) {
  const double bound = renyi::renyi_epsilon(plan, at).upper;
  return {bound, bound};
}

Figure exact_of(const renyi::Plan& plan, double at) {
  const renyi::ExactInterval found = renyi::PrivacyProfile(plan).epsilon(at).worst;
  return {found.lower, found.upper};
}

// The value is rounded towards more privacy, within 1e-9 of the optimum (renyi/calibrate.h).
Figure noise_by(renyi::Accounting by) {
  const renyi::CalibrateOptions options{.by = by};
  const double found = renyi::calibrate(reference(), {{0}, "noise_multiplier"}, {target_epsilon, delta}, options).value;
  return {found * (1 - 1e-9), found};
}

template <auto Of>
Figure sum_of_sweep() {
  Figure sum;
  for (const renyi::Plan& plan : sweep()) {
    const Figure one = Of(plan, delta);
    sum.lower += one.lower;
    sum.upper += one.upper;
  }
  return sum;
}

// The total noise does not depend on the number of steps.
template <std::int64_t Steps>
Figure at_steps() {
  return exact_of(training(1 / std::sqrt(static_cast<double>(Steps)), noise, Steps), delta);
}

// The three tasks below share this curve, which is set up only once.
const renyi::Curve& curve() {
  static const auto kept = renyi::Mechanism(renyi::SampledGaussian{rate, noise}).curve();
  return *kept;
}

Figure one_order() {
  const double k = curve().log_moment(next_to(3.7), renyi::Direction::remove).value;
  return {k, k};
}

Figure one_complex_order() {
  const double k = curve().log_moment(std::complex<double>{3.7, 1}, renyi::Direction::remove).value.real();
  return {k, k};
}

Figure one_line_point() {
  static const auto line = curve().line(3.7, renyi::Direction::remove);
  const double k = line->log_phi(1).value.real();
  return {k, k};
}

constexpr std::array all{
    Task{"renyi", "one Renyi epsilon", 2001, [] { return renyi_of(reference(), delta); }},
    Task{"exact", "one exact epsilon, both directions, both ends", 501, [] { return exact_of(reference(), delta); }},
    Task{"calibration", "noise for epsilon = 3, exact", 101, [] { return noise_by(renyi::Accounting::exact); }},
    Task{"calibration-renyi", "noise for epsilon = 3, by the Renyi bound", 201,
         [] { return noise_by(renyi::Accounting::renyi); }},
    Task{"heterogeneous", "200 distinct steps x 50, exact", 11, [] { return exact_of(schedule(), schedule_delta); }},
    Task{"heterogeneous-renyi", "200 distinct steps x 50, Renyi epsilon", 11,
         [] { return renyi_of(schedule(), schedule_delta); }},
    Task{"sweep-renyi", "1,200 configurations, Renyi epsilons", 11, sum_of_sweep<renyi_of>},
    Task{"sweep-exact", "1,200 configurations, exact epsilons", 1, sum_of_sweep<exact_of>},
    Task{"steps-1e4", "exact epsilon, q = 1/sqrt(T), T = 1e4", 201, at_steps<10'000>},
    Task{"steps-1e6", "T = 1e6", 201, at_steps<1'000'000>},
    Task{"steps-1e8", "T = 1e8", 201, at_steps<100'000'000>},
    Task{"steps-1e10", "T = 1e10", 201, at_steps<10'000'000'000>},
    Task{"steps-1e12", "T = 1e12", 201, at_steps<1'000'000'000'000>},
    Task{"few-steps", "exact epsilon, q = 0.01, T = 100", 51,
         [] { return exact_of(training(rate, noise, 100), delta); }},
    Task{"few-steps-equal", "exact epsilon, q = 1/sqrt(T), T = 100", 51, at_steps<100>},
    Task{"order", "one real order, curve at hand", 2001, one_order},
    Task{"complex-order", "one complex order, curve at hand", 2001, one_complex_order},
    Task{"line-point", "one point of a line, line at hand", 2001, one_line_point},
};

}  // namespace

std::span<const Task> tasks() { return all; }

const Task& task_named(std::string_view name) {
  std::string names;
  for (const Task& task : all) {
    if (task.name == name) return task;
    names.append(" ").append(task.name);
  }
  throw std::invalid_argument("no such task; there are:" + names);
}

}  // namespace bench
