// renyi verify
#include <fmt/format.h>

#include <string>

#include "apps/cli/ask.h"
#include "apps/cli/command.h"
#include "apps/cli/input.h"
#include "apps/cli/output.h"
#include "apps/cli/report.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace {

constexpr const char* file_argument = "CERTIFICATE";
constexpr const char* certificate_key = "certificate";
constexpr int exit_refuted = 1;

void build(Question& question, const Flags& flags) {
  question.request["op"] = "verify";
  const auto name = flags.text(file_argument);
  if (!name) throw InvalidArgument(file_argument, "nothing", "a file, or - for standard input");
  Input input(*name);
  question.source = input.name();
  question.source_path = certificate_key;
  question.request[certificate_key] = api::read(input.read_all());
}

std::string table(const Question& question, const api::Json& answer) {
  Report report(Style::of_standard_output());
  if (answer.at("valid").get<bool>()) {
    const int open = answer.at("not_certified").get<int>();
    report.lines(fmt::format("VALID: {} claims of {} recomputed, each inside its interval{}\n",
                             answer.at("claims").get<int>(), question.source,
                             open == 0 ? "" : fmt::format("; {} figures not certified", open)));
    return report.text();
  }
  report.lines(fmt::format("INVALID: {}\n", question.source)).blank_line();
  for (const api::Json& fault : answer.at("faults")) {
    report.lines(fmt::format("  {}\n", wrapped(fault.get<std::string>(), 4)));
  }
  return report.text();
}

void run(const Flags& flags) {
  bool valid = false;
  std::string source;
  Views views{.table = table, .check = [&valid](const api::Json& answer) { valid = answer.at("valid").get<bool>(); }};
  ask(
      flags,
      [&](Question& question) {
        build(question, flags);
        source = question.source;
      },
      views);
  if (!valid) throw Failure(exit_refuted, fmt::format("{}: not valid", source));
}

}  // namespace

Command verify_command() {
  return {
      .name = "verify",
      .help = "Check a certificate: recompute every claim by another route",
      .flags =
          {
              {file_argument, "", "what renyi certify printed, or - for standard input"},
              {"--format", "table|json", "how to print the verdict (default table)"},
          },
      .footer =
          "Exit status: 0 valid; 1 not valid, and why; 2 no certificate; 3 unsupported.\n"
          "\n"
          "Examples:\n"
          "  renyi verify certificate.json\n"
          "  renyi certify --noise-multiplier 4 --delta 1e-5 | renyi verify - --format json",
      .run = [](const Flags& flags, const CommandText&) { run(flags); },
  };
}

}  // namespace renyi::cli
