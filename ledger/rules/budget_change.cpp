#include "ledger/rules/budget_change.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "renyi/error.h"

namespace renyi::ledger {

namespace budget_change_file {
namespace {

struct NamedNumber {
  std::string name{};
  double value = 0;
};

std::string in_words(const NamedNumber& number) { return fmt::format("{} {:.10g}", number.name, number.value); }

// All numbers of a budget, in an order that depends on nothing but the orders that it has.
std::vector<NamedNumber> numbers_of(const Budget& budget) {
  std::vector<NamedNumber> numbers{{"epsilon", budget.epsilon},
                                   {"rho", budget.rho},
                                   {"mu", budget.mu},
                                   {"delta", budget.delta},
                                   {"infinite mass", budget.infinite_mass}};
  for (const OrderLimit& limit : budget.limits) {
    numbers.push_back({fmt::format("order {:g}, epsilon", limit.order), limit.epsilon});
  }
  for (const OrderShare& share : budget.order_shares) {
    numbers.push_back({fmt::format("order {:g}, delta", share.order), share.delta});
  }
  return numbers;
}

// The first number of `budget` that is above that of `limit`, and where it is; the first that is not 0 if there is
// none.
std::size_t first_above(const std::vector<NamedNumber>& budget, const std::vector<NamedNumber>& limit) {
  std::size_t first = budget.size();
  for (std::size_t i = 0; i < budget.size(); ++i) {
    if (budget[i].value > limit[i].value) return i;
    if (first == budget.size() && budget[i].value > 0) first = i;
  }
  return first == budget.size() ? 0 : first;
}

// Kind and orders never change.
bool has_same_form(const Budget& a, const Budget& b) {
  const auto one = numbers_of(a), other = numbers_of(b);
  bool same = a.kind == b.kind && a.omega == b.omega && one.size() == other.size();
  for (std::size_t i = 0; same && i < one.size(); ++i) same = one[i].name == other[i].name;
  return same;
}

}  // namespace
}  // namespace budget_change_file

void check_budget_change(const ScopeSettings& settings, const Request& request) {
  using namespace budget_change_file;
  check(request.budget);
  const bool raises = request.verb == Verb::raise;
  if (raises && request.reason.empty()) throw InvalidArgument("reason", "\"\"", "why the budget is raised");
  const Budget& now = settings.budget;
  if (!has_same_form(request.budget, now)) {
    throw InvalidArgument("budget", fmt::format("the kind {}, or other orders", to_string(request.budget.kind)),
                          fmt::format("the kind {} and the orders of the scope, which stay", to_string(now.kind)));
  }
  const auto asked = numbers_of(request.budget), present = numbers_of(now);
  if (raises) {
    const auto cap = numbers_of(*settings.cap);
    if (!request.budget.is_within(*settings.cap)) {
      const std::size_t over = first_above(asked, cap);
      throw InvalidArgument("budget", in_words(asked[over]),
                            fmt::format("up to the cap, {}, which was fixed when the scope was made; for more, make "
                                        "another scope",
                                        in_words(cap[over])));
    }
    if (!request.budget.is_within(now)) return;
    const std::size_t under = first_above(present, asked);
    throw InvalidArgument(
        "budget", in_words(asked[under]),
        fmt::format("above the limit now, {}; to a smaller one it is lowered", in_words(present[under])));
  }
  if (request.budget.is_within(now)) return;
  const std::size_t over = first_above(asked, present);
  throw InvalidArgument(
      "budget", in_words(asked[over]),
      fmt::format("up to the limit now, {}; to a larger one it is raised, with a reason", in_words(present[over])));
}

}  // namespace renyi::ledger
