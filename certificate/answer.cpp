// Describes statements as text, and computes the floating-point answer to a question.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "certificate/document.h"
#include "renyi/error.h"

namespace renyi::certificate {

bool has_conversion(Kind kind) noexcept { return kind == Kind::renyi_epsilon || kind == Kind::renyi_delta; }
bool has_order(Kind kind) noexcept { return kind == Kind::rdp || has_conversion(kind); }
bool has_direction(Kind kind) noexcept { return !has_conversion(kind); }
bool is_exact(Kind kind) noexcept { return !has_order(kind); }
bool is_delta(Kind kind) noexcept { return kind == Kind::delta || kind == Kind::renyi_delta; }

std::string_view given(Kind kind) noexcept {
  if (kind == Kind::rdp) return "";
  return kind == Kind::epsilon || kind == Kind::renyi_epsilon ? "delta" : "epsilon";
}

std::string describe(const Statement& statement) {
  const Kind kind = statement.kind;
  std::string text(to_string(kind));
  if (has_order(kind)) text += fmt::format(" of order {}", statement.order);
  if (has_conversion(kind)) text += fmt::format(" ({})", renyi::to_string(statement.conversion));
  if (!given(kind).empty()) text += fmt::format(" at {} {}", given(kind), statement.at);
  if (has_direction(kind)) text += fmt::format(", {}", renyi::to_string(statement.direction));
  return text;
}

namespace answer_file {
namespace {

constexpr double highest_order = 1e4;  // the largest order of certified curves
constexpr std::array both_directions{Direction::remove, Direction::add};

std::string shown(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "nothing"; }

bool certifiable(double order) { return std::isinf(order) || order <= highest_order; }

Cost cost_of(const Plan& plan, const CertificateQuestion& question, const CostOptions& options) {
  return question.delta ? epsilon(plan, *question.delta, options) : delta(plan, *question.epsilon, options);
}

void take_renyi(Answer& answer, const Plan& plan, const CertificateQuestion& question,
                const ConversionOptions& options) {
  const RenyiBound bound = *cost_of(plan, question, {.exact = false, .conversion = options}).renyi;
  answer.renyi = bound.upper;
  answer.order = bound.order;
  // Order infinity has no other conversion, even if it proves nothing.
  answer.conversion = std::isinf(bound.order) ? Conversion::pure : bound.conversion;
}

// Beyond the orders that can be certified the largest of them is used, which gives a valid but larger bound.
void take_renyi(Answer& answer, const Plan& plan, const CertificateQuestion& question) {
  ConversionOptions options;
  if (question.order) options.orders = {*question.order};
  take_renyi(answer, plan, question, options);
  if (certifiable(answer.order)) return;
  options.orders = {highest_order};
  take_renyi(answer, plan, question, options);
}

void take_exact(Answer& answer, const Plan& plan, const CertificateQuestion& question) {
  const Cost cost = cost_of(plan, question, {.renyi = false});
  if (cost.exact) answer.exact = {cost.exact->remove, cost.exact->add};
  if (cost.obstacle) answer.unavailable = cost.obstacle->why;
}

}  // namespace
}  // namespace answer_file

void check(const CertificateQuestion& question) {
  const auto& [delta, epsilon, order] = question;
  if (delta.has_value() == epsilon.has_value()) {
    throw InvalidArgument("delta", delta ? "an epsilon as well" : "nothing", "exactly one of delta and epsilon");
  }
  if (delta && !(*delta >= 0 && *delta <= 1))
    throw InvalidArgument("delta", answer_file::shown(delta), "a number in [0, 1]");
  if (epsilon && !(*epsilon >= 0 && std::isfinite(*epsilon))) {
    throw InvalidArgument("epsilon", answer_file::shown(epsilon), "a finite number of at least 0");
  }
  if (order && !(*order > 1 && answer_file::certifiable(*order))) {
    throw InvalidArgument("order", answer_file::shown(order), "a number in (1, 1e4], or inf");
  }
}

Answer fast_answer(const Plan& plan, const CertificateQuestion& question) {
  Answer answer;
  answer_file::take_renyi(answer, plan, question);
  answer.rdp_remove = rdp(plan, answer.order, {.direction = Direction::remove}).upper();
  answer.rdp_add = rdp(plan, answer.order, {.direction = Direction::add}).upper();
  answer_file::take_exact(answer, plan, question);
  return answer;
}

std::string path_in_answer(const Statement& statement) {
  if (has_conversion(statement.kind)) {
    return statement.kind == Kind::renyi_epsilon ? "answer.renyi.epsilon" : "answer.renyi.delta";
  }
  return fmt::format("answer.{}.{}", is_exact(statement.kind) ? "exact" : "rdp", renyi::to_string(statement.direction));
}

std::vector<Statement> asked_statements(const CertificateQuestion& question, const Answer& answer) {
  const double at = question.delta ? *question.delta : *question.epsilon;
  std::vector<Statement> all;
  for (const Direction direction : answer_file::both_directions) {
    all.push_back({.kind = Kind::rdp, .order = answer.order, .direction = direction});
  }
  all.push_back({.kind = question.delta ? Kind::renyi_epsilon : Kind::renyi_delta,
                 .order = answer.order,
                 .conversion = answer.conversion,
                 .at = at});
  for (const Direction direction : answer_file::both_directions) {
    all.push_back({.kind = question.delta ? Kind::epsilon : Kind::delta, .direction = direction, .at = at});
  }
  return all;
}

std::vector<Statement> check_statements(const CertificateQuestion& question, const Answer& answer) {
  if (!question.delta || !answer.exact) return {};
  const double epsilon = std::max(answer.exact->remove.upper, answer.exact->add.upper);
  if (std::isinf(epsilon)) return {};  // delta is 0 there without proof
  std::vector<Statement> all;
  for (const Direction direction : answer_file::both_directions) {
    all.push_back({.kind = Kind::delta, .direction = direction, .at = epsilon});
  }
  return all;
}

bool is_check(const CertificateQuestion& question, const Statement& statement) {
  return question.delta && statement.kind == Kind::delta;
}

}  // namespace renyi::certificate
