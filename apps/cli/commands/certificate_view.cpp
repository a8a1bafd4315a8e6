#include "apps/cli/commands/certificate_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "api/certainty.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"

namespace renyi::cli {

using api::CertifyAnswer;
using api::CertifyRequest;

namespace certificate_view_file {
namespace {

std::string claims_in(const api::CertificateSummary& summary) {
  std::vector<std::vector<std::string>> rows{{"claim", "at least", "at most"}};
  for (const api::ClaimSummary& claim : summary.claims) {
    rows.push_back({claim.name, plain_decimal(decimal_below(claim.value.lower, shown_digits)),
                    plain_decimal(decimal_above(claim.value.upper, shown_digits))});
  }
  return columns(rows);
}

// Lists the methods without duplicates, in the order of the claims.
std::string methods_in(const api::CertificateSummary& summary) {
  std::vector<std::string> methods;
  for (const api::ClaimSummary& claim : summary.claims) {
    if (std::find(methods.begin(), methods.end(), claim.method) == methods.end()) methods.push_back(claim.method);
  }
  return fmt::format("{}", fmt::join(methods, "; "));
}

std::string table(const Question& question, const CertifyRequest&, const CertifyAnswer& answer) {
  const api::CertificateSummary summary = api::summary_of_certificate(answer.certificate);
  Report report(Style::of_standard_output());
  report.headline("Certified",
                  fmt::format("values  ({}, ends rounded outwards)", api::in_words(api::Certainty::proven)));
  describe_run(report, question);
  report.row("Renyi", fmt::format("order {}, conversion {}", rounded(summary.order), summary.conversion));
  report.blank_line().lines(claims_in(summary)).blank_line();
  report.row("methods", methods_in(summary));
  for (const api::GapSummary& gap : summary.not_certified) {
    report.row(fmt::format("not {}", to_string(api::Certainty::proven)),
               fmt::format("{}: {}", gap.name, gap.unavailable));
  }
  return report.text();
}

std::string line(const Question&, const CertifyRequest&, const CertifyAnswer& answer) {
  return answer.certificate.text() + '\n';
}

}  // namespace
}  // namespace certificate_view_file

FlagText certificate_format_flag() {
  return {"--format", "json|table", "the certificate itself, or a table of its claims (default json)", asked_group};
}

Views<CertifyRequest> certificate_views() {
  return {.table = certificate_view_file::table, .json = certificate_view_file::line, .usual_format = "json"};
}

}  // namespace renyi::cli
