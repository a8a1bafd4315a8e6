// Reads certificates strictly: unknown members are refused with their path.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "certificate/document.h"
#include "digest/sha256.h"
#include "json/field.h"
#include "json/parse.h"
#include "json/write.h"
#include "renyi/error.h"
#include "renyi/plan.h"

namespace renyi::certificate {

using json::Field;
using json::Json;

namespace read_file {
namespace {

Direction read_direction(const Field& field) {
  static constexpr std::array directions{Direction::remove, Direction::add};
  return field.choose<Direction>(directions);
}

Conversion read_conversion(const Field& field) {
  using enum Conversion;
  static constexpr std::array conversions{tight, classical, pure, total_variation};
  return field.choose<Conversion>(conversions);
}

// Reads a number of at least 0, or "inf".
double read_figure(const Field& object, std::string_view key) {
  constexpr std::string_view allowed = "a number of at least 0, or \"inf\"";
  const Field field = object.require(key, allowed);
  const double value = field.number_or_infinity();
  if (!(value >= 0)) field.refuse(allowed);
  return value;
}

// Reads an epsilon, or a delta, which is at most 1.
double read_cost(const Field& object, std::string_view key, Quantity quantity) {
  if (quantity == Quantity::epsilon) return read_figure(object, key);
  constexpr std::string_view allowed = "a number in [0, 1]";
  const Field field = object.require(key, allowed);
  const double value = field.number();
  if (!(value >= 0 && value <= 1)) field.refuse(allowed);
  return value;
}

ExactInterval read_exact(const Field& field, Quantity quantity) {
  using enum Engine;
  static constexpr std::array engines{closed_form, contour, lattice, bounds};
  field.allow_only(std::array<std::string_view, 3>{"lower", "upper", "engine"});
  ExactInterval figure;
  figure.lower = read_cost(field, "lower", quantity);
  figure.upper = read_cost(field, "upper", quantity);
  if (!(figure.lower <= figure.upper)) field.require("lower", "an end").refuse("at most the upper end");
  figure.engine = field.require("engine", "its name").choose<Engine>(engines);
  return figure;
}

void read_rdp(Answer& answer, const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"order", "remove", "add"});
  answer.order = read_figure(field, "order");
  answer.rdp_remove = read_figure(field, "remove");
  answer.rdp_add = read_figure(field, "add");
}

// Returns what was asked for: the other one of epsilon and delta is given.
Quantity quantity_of(const CertificateQuestion& question) {
  return question.delta ? Quantity::epsilon : Quantity::delta;
}

void read_renyi(Answer& answer, const Field& field, const CertificateQuestion& question) {
  const Quantity quantity = quantity_of(question);
  const std::string_view figure = to_string(quantity);
  field.allow_only(std::array<std::string_view, 3>{figure, "order", "conversion"});
  answer.renyi = read_cost(field, figure, quantity);
  if (read_figure(field, "order") != answer.order) field.require("order", "").refuse("the order of rdp");
  // At delta 0 and 1 there is only one answer, whatever the requested order.
  const bool any_order = !question.order || (question.delta && (*question.delta == 0 || *question.delta == 1));
  if (!any_order && answer.order != *question.order) field.require("order", "").refuse("the order asked for");
  answer.conversion = read_conversion(field.require("conversion", "its name"));
}

Answer read_answer(const Field& field, const CertificateQuestion& question) {
  field.allow_only(std::array<std::string_view, 3>{"rdp", "renyi", "exact"});
  Answer answer;
  read_rdp(answer, field.require("rdp", "divergences"));
  read_renyi(answer, field.require("renyi", "the Renyi bound"), question);
  const Field exact = field.require("exact", "exact figures");
  if (const auto why = exact.find("unavailable")) {
    exact.allow_only(std::array<std::string_view, 1>{"unavailable"});
    answer.unavailable = why->text();
    return answer;
  }
  exact.allow_only(std::array<std::string_view, 2>{"remove", "add"});
  const Quantity quantity = quantity_of(question);
  answer.exact = {read_exact(exact.require("remove", "an interval"), quantity),
                  read_exact(exact.require("add", "an interval"), quantity)};
  return answer;
}

constexpr std::size_t longest_text = 1000;

// The canonical form of a number is unique: a positive odd integer without leading zeros (no value is negative), or "0"
// or "inf" with the exponent 0.
bool is_canonical(const Dyadic& number) {
  if (number.mantissa == "0" || number.mantissa == "inf") return number.exponent == 0;
  const std::string_view digits = number.mantissa;
  if (digits.empty() || digits.size() > Dyadic::most_digits || digits.front() == '0') return false;
  const bool all_digits = std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  return all_digits && (digits.back() - '0') % 2 == 1;
}

// Reads the exact endpoint; its decimal must be the one that follows from it.
Dyadic read_end(const Field& field, std::string (*decimal)(const Dyadic&, int)) {
  field.allow_only(std::array<std::string_view, 2>{"decimal", "dyadic"});
  const Field dyadic = field.require("dyadic", "[mantissa, exponent]");
  const std::vector<Field> parts = dyadic.items();
  if (parts.size() != 2) dyadic.refuse("[mantissa, exponent]");
  Dyadic end{parts[0].text(), parts[1].integer(-Dyadic::largest_exponent, Dyadic::largest_exponent)};
  if (!is_canonical(end)) {
    parts[0].refuse(fmt::format("a positive odd integer of at most {} digits, or 0 or inf with the exponent 0",
                                Dyadic::most_digits));
  }
  const std::string expected = decimal(end, decimal_digits);
  const Field shown = field.require("decimal", "a decimal");
  if (shown.text() != expected) shown.refuse(fmt::format("what follows from the dyadic, {}", expected));
  return end;
}

std::string read_text(const Field& field) {
  const std::string& text = field.text();
  const bool printable = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (text.empty() || text.size() > longest_text || !printable) field.refuse("a line of printable ASCII");
  return text;
}

std::vector<std::string_view> keys_of(Kind kind) {
  std::vector<std::string_view> keys{"claim"};
  if (has_order(kind)) keys.emplace_back("order");
  if (has_conversion(kind)) keys.emplace_back("conversion");
  if (!given(kind).empty()) keys.push_back(given(kind));
  if (has_direction(kind)) keys.emplace_back("direction");
  return keys;
}

Statement read_statement(const Field& field, std::initializer_list<std::string_view> more_keys) {
  Statement statement;
  const Kind kind = statement.kind = field.require("claim", "what is claimed").choose<Kind>(all_claim_kinds);
  std::vector<std::string_view> keys = keys_of(kind);
  keys.insert(keys.end(), more_keys.begin(), more_keys.end());
  field.allow_only(keys);
  if (has_order(kind)) statement.order = read_figure(field, "order");
  if (has_conversion(kind)) statement.conversion = read_conversion(field.require("conversion", "its name"));
  if (!given(kind).empty()) {
    statement.at = read_cost(field, given(kind), given(kind) == "delta" ? Quantity::delta : Quantity::epsilon);
  }
  if (has_direction(kind)) statement.direction = read_direction(field.require("direction", "remove or add"));
  return statement;
}

Claim read_claim(const Field& field) {
  Claim claim;
  claim.statement = read_statement(field, {"lower", "upper", "method", "precision"});
  Enclosure& value = claim.proven.value;
  value.lower = read_end(field.require("lower", "an end"), decimal_below);
  value.upper = read_end(field.require("upper", "an end"), decimal_above);
  if (!contains(value, {value.upper, value.upper})) field.require("lower", "an end").refuse("at most the upper end");
  if (is_delta(claim.statement.kind) && !contains(zero_to_one, value)) {
    field.require("upper", "an end").refuse("at most 1, as every delta");
  }
  claim.proven.method = read_text(field.require("method", "its name"));
  constexpr std::int64_t most_bits = std::int64_t{1} << 30U;
  claim.proven.precision = field.require("precision", "bits").integer(0, most_bits);
  return claim;
}

UncertifiedFigure read_gap(const Field& field) {
  UncertifiedFigure gap;
  gap.statement = read_statement(field, {"unavailable"});
  gap.why = read_text(field.require("unavailable", "the reason"));
  return gap;
}

constexpr std::string_view version_key = "renyi_certificate";
constexpr std::size_t most_bytes = 1'000'000;
constexpr std::size_t most_claims = 16;  // more than any question has
constexpr std::size_t most_mechanisms = 64;

// Paths in the plan are reported as paths in the certificate.
Plan read_plan(const Field& document) {
  const Field field = document.require("plan", "a plan");
  const std::string text = json::write(field.value());
  Plan plan = [&] {
    try {
      return renyi::read_plan(text);
    } catch (const InvalidArgument& error) {
      throw error.within("plan.");
    }
  }();
  if (write_plan(plan) != text) throw InvalidArgument("plan", "another text", "a plan in canonical form");
  const std::string hash = digest::sha256(text);
  if (document.require("plan_sha256", "a SHA-256").text() != hash) {
    throw InvalidArgument("plan_sha256", "another digest", fmt::format("that of the plan, {}", hash));
  }
  const Field neighbors = document.require("neighbors", "that of the plan");
  if (neighbors.value() != to_string(plan.neighbors())) neighbors.refuse("that of the plan");
  check_size(plan);
  return plan;
}

CertificateQuestion read_question(const Field& field) {
  field.allow_only(std::array<std::string_view, 3>{"delta", "epsilon", "order"});
  CertificateQuestion question;
  if (const auto delta = field.find("delta")) question.delta = delta->number();
  if (const auto epsilon = field.find("epsilon")) question.epsilon = epsilon->number();
  if (const auto order = field.find("order")) question.order = order->number_or_infinity();
  try {
    check(question);
  } catch (const InvalidArgument& error) {
    throw error.within("question.");
  }
  return question;
}

std::vector<Field> read_list(const Field& document, std::string_view key) {
  const Field list = document.require(key, "an array of claims");
  if (list.value().size() > most_claims) list.refuse(fmt::format("at most {} claims", most_claims));
  return list.items();
}

}  // namespace
}  // namespace read_file

Json open(std::string_view text) {
  if (text.size() > read_file::most_bytes) {
    throw InvalidArgument("certificate", fmt::format("{} bytes", text.size()),
                          fmt::format("at most {}", read_file::most_bytes));
  }
  Json document = json::parse(text);
  const Field field(document);
  const std::int64_t version = field.require(read_file::version_key, "1: only then is it a certificate")
                                   .integer(1, std::numeric_limits<std::int64_t>::max());
  if (version > 1) {
    throw Unsupported(std::string(read_file::version_key),
                      fmt::format("certificates of version {} came later", version),
                      "use the version of renyi that wrote it, or a later one");
  }
  return document;
}

void check_size(const Plan& plan) {
  const std::size_t mechanisms = plan.merged().size();
  if (mechanisms <= read_file::most_mechanisms) return;
  throw Unsupported("plan",
                    fmt::format("it has {} different mechanisms, and at most {} are certified together", mechanisms,
                                read_file::most_mechanisms),
                    "certify its parts, and add their divergences");
}

Library library_of(const Json& document) { return read_library(Field(document).require("library", "versions")); }

Certificate read(const Json& document) {
  const Field field(document);
  field.allow_only(std::array<std::string_view, 10>{read_file::version_key, "library", "plan", "plan_sha256",
                                                    "neighbors", "question", "answer", "claims", "not_certified",
                                                    "digest"});
  Certificate certificate;
  certificate.library = library_of(document);
  certificate.plan = read_file::read_plan(field);
  certificate.question = read_file::read_question(field.require("question", "what was asked"));
  certificate.answer = read_file::read_answer(field.require("answer", "what was found"), certificate.question);
  for (const Field& claim : read_file::read_list(field, "claims"))
    certificate.claims.push_back(read_file::read_claim(claim));
  for (const Field& gap : read_file::read_list(field, "not_certified"))
    certificate.gaps.push_back(read_file::read_gap(gap));
  return certificate;
}

}  // namespace renyi::certificate
