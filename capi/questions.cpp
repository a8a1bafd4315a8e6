#include "capi/questions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "capi/guard.h"
#include "renyi/account.h"
#include "renyi/exact.h"

namespace renyi::capi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// As in the answers to requests: what is no number is a defect, not a result.
double number(double value) {
  if (std::isnan(value)) throw std::logic_error("a result that is not a number");
  return value;
}

// The exact interval of what `ask` answers. Where it cannot be given the Renyi bound stands alone,
// as in the answers to requests.
template <class Ask>
renyi_result with_exact(double renyi, double order, const Ask& ask) {
  renyi_result result{number(renyi), number(order), 0, renyi, RENYI_OK};
  try {
    const ExactFigure worst = ask().worst;
    result.exact_lower = number(worst.lower);
    result.exact_upper = number(worst.upper);
  } catch (const Unsupported&) {
    result.exact_status = RENYI_UNSUPPORTED;
  } catch (const NotConverged&) {
    result.exact_status = RENYI_NOT_CONVERGED;
  }
  return result;
}

}  // namespace

constinit const renyi_result worst_epsilon{infinity, infinity, 0, infinity, RENYI_INTERNAL};
constinit const renyi_result worst_delta{1, infinity, 0, 1, RENYI_INTERNAL};

renyi_result epsilon_of(const Plan& plan, double delta) {
  const EpsilonBound bound = renyi_epsilon(plan, delta);
  return with_exact(bound.epsilon, bound.order, [&] { return ExactAccountant(plan).epsilon(delta); });
}

renyi_result delta_of(const Plan& plan, double epsilon) {
  const DeltaBound bound = renyi_delta(plan, epsilon);
  return with_exact(bound.delta, bound.order, [&] { return ExactAccountant(plan).delta(epsilon); });
}

void write_rdp(const Plan& plan, const RdpQuestion& question) {
  if (question.size == 0) return;
  require(question.orders, "orders", "an array of orders");
  require(question.out, "out", "a place for the divergences");
  const auto bounds = rdp(plan, std::span(question.orders, question.size));
  std::transform(bounds.begin(), bounds.end(), question.out,
                 [](const Bounded& bound) { return number(bound.upper()); });
}

void write_infinite_rdp(const RdpQuestion& question) noexcept {
  if (question.out != nullptr) std::fill_n(question.out, question.size, infinity);
}

}  // namespace renyi::capi
