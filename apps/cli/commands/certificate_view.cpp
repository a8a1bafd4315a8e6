#include "apps/cli/commands/certificate_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/certify.h"

namespace renyi::cli {

using api::Json;

namespace certificate_view_file {
namespace {

Dyadic end_of(const Json& claim, const char* end) {
  const Json& dyadic = claim.at(end).at("dyadic");
  return {dyadic.at(0).get<std::string>(), dyadic.at(1).get<std::int64_t>()};
}

std::string claims_in(const Json& certificate) {
  std::vector<std::vector<std::string>> rows{{"claim", "at least", "at most"}};
  for (const Json& claim : certificate.at("claims")) {
    rows.push_back({name_of(claim), plain_decimal(decimal_below(end_of(claim, "lower"), shown_digits)),
                    plain_decimal(decimal_above(end_of(claim, "upper"), shown_digits))});
  }
  return columns(rows);
}

// Each once, in the order of the claims.
std::string methods_in(const Json& certificate) {
  std::vector<std::string> methods;
  for (const Json& claim : certificate.at("claims")) {
    const auto method = claim.at("method").get<std::string>();
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  }
  return fmt::format("{}", fmt::join(methods, "; "));
}

std::string table(const Question& question, const Json& answer) {
  const Json& certificate = answer.at("certificate");
  const Json& renyi = certificate.at("answer").at("renyi");
  Report report(Style::of_standard_output());
  report.headline("Certified", "in ball arithmetic  (proven enclosures, ends rounded outwards)");
  describe_run(report, question);
  report.row("Renyi", fmt::format("order {}, conversion {}", rounded(number_in(renyi.at("order"))),
                                  renyi.at("conversion").get<std::string>()));
  report.blank_line().lines(claims_in(certificate)).blank_line();
  report.row("methods", methods_in(certificate));
  for (const Json& gap : certificate.at("not_certified")) {
    report.row("not proven", fmt::format("{}: {}", name_of(gap), gap.at("unavailable").get<std::string>()));
  }
  return report.text();
}

std::string line(const Question& /*question*/, const Json& answer) {
  return api::write(answer.at("certificate")) + '\n';
}

}  // namespace
}  // namespace certificate_view_file

std::string name_of(const Json& claim) {
  std::string name = claim.at("claim").get<std::string>();
  for (const char* key : {"delta", "epsilon"}) {
    if (claim.contains(key)) name += fmt::format(" at {} {}", key, rounded(number_in(claim.at(key))));
  }
  if (claim.contains("direction")) name += ", " + claim.at("direction").get<std::string>();
  return name;
}

FlagText certificate_format_flag() {
  return {"--format", "json|table", "the certificate itself, or a table of its claims (default json)", asked_group};
}

JsonViews certificate_views() {
  return {.table = certificate_view_file::table, .json = certificate_view_file::line, .usual_format = "json"};
}

}  // namespace renyi::cli
