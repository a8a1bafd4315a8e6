// renyi verify
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "api/api.h"
#include "api/certificate.h"
#include "apps/cli/commands/certificate_view.h"
#include "apps/cli/commands/command.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/layout.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace verify_file {
namespace {

using api::VerifyRequest;

constexpr const char* file_argument = "CERTIFICATE";
constexpr const char* certificate_key = "certificate";
constexpr const char* nothing = "nothing";
constexpr int exit_refuted = 1;

void build(Question& question, const Flags& flags) {
  question.request.set("op", "verify");
  const auto name = flags.text(file_argument);
  if (!name) throw InvalidArgument(file_argument, "nothing", "a file, or - for standard input");
  Input input(*name);
  question.source = input.name();
  question.source_path = certificate_key;
  question.request.set(certificate_key, api::read(input.read_all()));
}

// Formats a width such as "3.3e-14" for readers to compare; it is not a bound. If the width means nothing, the result
// is text that says so.
std::string shown_width(const ProvenFigure& figure) {
  if (!figure.says.empty()) return figure.says == nothing ? "says nothing" : "upper bound only";
  if (figure.width == 0) return "0";
  const std::string text = fmt::format("{:.1e}", figure.width);
  const auto mark = text.find('e');
  return plain_decimal(fmt::format("{}e{}", text.substr(0, mark), std::stoi(text.substr(mark + 1))));
}

// Makes one row per claim, with the names that certify prints.
std::string proven_figures(const VerifyRequest& asked, const Verdict& verdict) {
  const std::vector<api::ClaimSummary> claims = api::summary_of_certificate(asked.certificate).claims;
  const auto end = [](const std::string& decimal, Side side) {
    return plain_decimal(shortened(decimal, shown_digits, side));
  };
  std::vector<std::vector<std::string>> rows{{"figure", "at least", "at most", "width"}};
  for (std::size_t i = 0; i < verdict.proven.size(); ++i) {
    const ProvenFigure& figure = verdict.proven[i];
    rows.push_back({claims[i].name, end(decimal_below(figure.value.lower), Side::below),
                    end(decimal_above(figure.value.upper), Side::above), shown_width(figure)});
  }
  return columns(rows);
}

// Summarizes the result: "each inside its interval", and what a reader must not overlook.
std::string summary(const Verdict& verdict) {
  const auto silent = std::count_if(verdict.proven.begin(), verdict.proven.end(),
                                    [](const ProvenFigure& figure) { return figure.says == nothing; });
  std::string text = silent == 0   ? "each inside its interval"
                     : silent == 1 ? "1 of them says nothing"
                                   : fmt::format("{} of them say nothing", silent);
  if (verdict.not_certified > 0) text += fmt::format("; {} figures not certified", verdict.not_certified);
  return text;
}

std::string table(const Question& question, const VerifyRequest& asked, const Verdict& verdict) {
  Report report(Style::of_standard_output());
  if (verdict.valid) {
    report.lines(
        fmt::format("VALID: {} claims of {} recomputed, {}\n", verdict.claims, question.source, summary(verdict)));
    report.blank_line().lines(proven_figures(asked, verdict));
    return report.text();
  }
  report.lines(fmt::format("INVALID: {}\n", question.source)).blank_line();
  for (const std::string& fault : verdict.faults) report.lines(fmt::format("  {}\n", wrapped(fault, 4)));
  return report.text();
}

void run(const Flags& flags) {
  bool valid = false;
  std::string source;
  const Views<VerifyRequest> views{.table = table,
                                   .check = [&valid](const Verdict& verdict) { valid = verdict.valid; }};
  ask(
      flags,
      [&](Question& question) {
        build(question, flags);
        source = question.source;
      },
      api::read_verify, views);
  if (!valid) throw Failure(exit_refuted, fmt::format("{}: not valid", source));
}

}  // namespace
}  // namespace verify_file

Command verify_command() {
  return {
      .name = "verify",
      .help = "Check a certificate: recompute every claim by another route",
      .flags =
          {
              {verify_file::file_argument, "", "what renyi certify printed, or - for standard input"},
              {"--format", "table|json", "how to print the verdict (default table)"},
              time_limit_flag(),
          },
      .footer =
          "Exit status: 0 valid; 1 not valid, and why; 2 no certificate; 3 unsupported.\n"
          "\n"
          "Examples:\n"
          "  renyi verify certificate.json\n"
          "  renyi certify --noise-multiplier 4 --delta 1e-5 | renyi verify - --format json",
      .run = [](const Flags& flags, const CommandText&) { verify_file::run(flags); },
  };
}

}  // namespace renyi::cli
