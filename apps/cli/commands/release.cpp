// renyi release: from aggregated values to published numbers, paid for first.
#include "renyi/release.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/commands/command.h"
#include "apps/cli/commands/ledger.h"
#include "apps/cli/commands/ledger_server.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/release_view.h"
#include "renyi/error.h"
#include "renyi/ledger.h"

namespace renyi::cli {
namespace release_file {
namespace {

constexpr int exit_refused = 1;
const std::string values_argument = "FILE";

std::optional<double> number(const Flags& flags, const std::string& flag) {
  const auto text = flags.text(flag);
  return text ? std::optional(read_number(flag, *text)) : std::nullopt;
}

template <class Option, std::size_t size>
std::optional<Option> choice(const Flags& flags, const std::string& flag, const std::array<Option, size>& options) {
  const auto text = flags.text(flag);
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  for (const Option option : options) {
    if (to_string(option) == *text) return option;
    names.emplace_back(to_string(option));
  }
  refuse_choice(flag, *text, names);
}

// What flags say replaces what the file says.
void apply_flags(release::Terms& terms, const Flags& flags) {
  release::TotalBudget& budget = terms.budget;
  if (flags.given("--rho")) budget = {};
  if (flags.given("--epsilon")) budget.rho.reset();
  if (const auto epsilon = number(flags, "--epsilon")) budget.epsilon = epsilon;
  if (const auto delta = number(flags, "--delta")) budget.delta = delta;
  if (const auto rho = number(flags, "--rho")) budget.rho = rho;
  if (const auto division = choice(flags, "--divide", release::all_divisions)) terms.division = division;
  if (const auto family = choice(flags, "--noise", release::all_families)) terms.family = family;
}

// A JSON document begins with a brace; everything else is comma-separated values.
release::Request request_of(Question& question, const Flags& flags) {
  const std::string name = flags.text(values_argument).value_or("-");
  Input input(name);
  question.source = input.name();
  const std::string text = input.read_all();
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && text[first] == '{';
  release::Request request = is_json ? release::read_json(text) : release::read_csv(text);
  apply_flags(request.terms, flags);
  return request;
}

void name_flags(Question& question) {
  question.flag_at = {{"budget.epsilon", "--epsilon"},
                      {"budget.delta", "--delta"},
                      {"budget.rho", "--rho"},
                      {"divide", "--divide"},
                      {"key", "--key"},
                      {"scope", "--scope"},
                      {"blocks", "--block"},
                      {"out", "--out"},
                      {"ledger", "--ledger"},
                      {"person", "--person"}};
}

release::Charge charge_of(const Flags& flags) {
  release::Charge charge{.scope = flags.text("--scope").value_or(""),
                         .key = flags.text("--key").value_or(""),
                         .person = flags.text("--person").value_or("")};
  charge.blocks = several_of(flags, "--block");
  if (charge.scope.empty()) throw InvalidArgument("--scope", "nothing", "the scope of the ledger that pays");
  return charge;
}

std::string ledger_of(const Flags& flags) {
  if (flags.given("--no-ledger")) {
    for (const char* flag : {"--ledger", "--scope", "--block", "--key", "--person", "--witness"}) {
      if (flags.given(flag)) throw InvalidArgument(flag, "a ledger beside --no-ledger", "one of the two");
    }
    return "";
  }
  std::string ledger = flags.text("--ledger").value_or(ledger_of_environment());
  if (is_server(ledger)) {
    throw Unsupported("--ledger", "a release draws its noise beside the ledger, and that of a server is elsewhere",
                      "give a ledger in a file or in PostgreSQL");
  }
  if (!ledger.empty()) return ledger;
  throw InvalidArgument("--ledger", "nothing",
                        "a ledger that pays (make one by `renyi ledger init` and `renyi ledger scope`), or --no-ledger "
                        "if nobody is to count");
}

Ledger open_ledger(const Flags& flags) {
  return Ledger(ledger_of(flags), {.witness = flags.text("--witness").value_or("")});
}

// What the scope and those above it have left. What was published stays published if this fails.
std::vector<ScopeBalances> balances(const Ledger& ledger, const std::string& scope) {
  std::vector<ScopeBalances> all;
  try {
    for (std::string name = scope;; name.resize(name.rfind('/'))) {
      all.push_back({.scope = name, .balances = ledger.scope(name).balances});
      if (name.find('/') == std::string::npos) return all;
    }
  } catch (const Error&) {
    return {};
  }
}

struct Published {
  release::Outcome outcome{};
  std::vector<ScopeBalances> left{};
};

// No flag allows to replace what pays, or what is read.
void check_out(const Flags& flags, const std::string& out, const std::optional<std::string>& expected) {
  const auto is_same = [&](const std::optional<std::string>& other) {
    std::error_code ignored;
    return other && std::filesystem::equivalent(out, *other, ignored);
  };
  if (is_same(flags.text("--ledger").value_or(ledger_of_environment())) || is_same(flags.text("--witness")) ||
      is_same(flags.text(values_argument))) {
    throw InvalidArgument("--out", '"' + out + '"', "another file than the ledger, its witness and the values");
  }
  release::check_output(out, expected, flags.given("--force"), "--force");
}

// Publishes through the ledger, and writes the file. Throws Failure if it refuses.
Published publish(const release::Request& request, const Flags& flags, const std::string& out,
                  const std::string& format) {
  const release::Charge charge = charge_of(flags);
  Ledger ledger = open_ledger(flags);
  check_out(flags, out, release::stored_document(request.terms, ledger, charge));
  release::Outcome outcome = release::run(request, ledger, charge);
  if (!outcome.is_published) {
    if (format == "table") print(refusal_text(request.terms, outcome));
    throw Failure(exit_refused, fmt::format("{}: not released: {}", out, outcome.reason));
  }
  // What is stored is written again, also if the file is there: after a crash its directory may not be on the disk.
  release::write_output(out, outcome.document);
  return {std::move(outcome), format == "table" ? balances(ledger, charge.scope) : std::vector<ScopeBalances>()};
}

void say(const std::string& line) { print_to_stderr(fmt::format("renyi: {}\n", line)); }

// A plan file has no place for ranges.
void say_ranges(const release::Design& design) {
  for (const release::StatisticNoise& noise : design.noise) {
    say(fmt::format("range of {}: {}", noise.name, range_text(noise.range)));
  }
  say(std::string(release::range_rule));
}

std::string view(const std::string& format, const Published& published, const std::string& out) {
  const release::Outcome& outcome = published.outcome;
  if (format == "json") return outcome.document;
  const release::Document document = release::read_document(outcome.document);
  return format == "csv" ? release_csv(document) : release_text(document, out, outcome.is_repeated, published.left);
}

// Shows the noise, and whether the ledger would pay for it if one is named.
void rehearse(Question& question, const Flags& flags, const std::string& format) {
  if (format == "csv") refuse_choice("--format", format, {"table", "json"});
  const release::Request request = request_of(question, flags);
  const release::Terms& terms = request.terms;
  const bool asks = !flags.given("--no-ledger") &&
                    (flags.given("--ledger") || (flags.given("--scope") && !ledger_of_environment().empty()));
  Adjacency relation;
  std::optional<release::Outcome> asked;
  std::optional<Ledger> ledger;
  if (asks) relation = ledger.emplace(open_ledger(flags)).relation(charge_of(flags).scope);
  const release::Design design = release::design(terms, release::relation_of(terms, relation));
  if (ledger) asked = release::may_run(terms, design, *ledger, charge_of(flags));
  print(format == "json" ? write_plan(design.plan) + '\n' : design_text(terms, design, asked));
  if (format == "json") say_ranges(design);
  if (asked && !asked->refusal->accepted) {
    throw Failure(exit_refused, fmt::format("release: the ledger would refuse: {}", asked->reason));
  }
}

void run(Question& question, const Flags& flags) {
  name_flags(question);
  const std::string format = output_asked(flags, "table", true).format;
  question.understood = flags.understood;
  if (flags.given("--dry-run")) {
    return rehearse(question, flags, format);
  }
  const std::string out = flags.text("--out").value_or("");
  if (out.empty()) throw InvalidArgument("--out", "nothing", "the file to write");
  const bool is_counted = !ledger_of(flags).empty();
  const release::Request request = request_of(question, flags);
  Published published;
  if (is_counted) {
    published = publish(request, flags, out, format);
  } else {
    check_out(flags, out, std::nullopt);
    published.outcome.document = release::run_uncounted(request);
    release::write_output(out, published.outcome.document);
  }
  if (!is_counted) say("warning: no ledger counts what this release costs");
  if (is_counted && !flags.given("--key")) {
    say("warning: without --key, this command draws and is charged anew each time that it runs");
  }
  for (const std::string& line : flags.understood) say("understood " + line);
  try {
    print(view(format, published, out));
    flush_output();
  } catch (const OutputError& error) {
    throw OutputError(error.number(), fmt::format("{}; {} is written and paid for all the same", error.what(), out));
  }
}

std::vector<FlagText> own_flags() {
  const std::string paid = "Who pays", noise = "The noise, unless the file states it";
  return {
      {values_argument, "", "values as JSON or CSV (docs/format/release.md), or - for stdin"},
      {"--ledger", "LEDGER", "the file of the ledger, or postgresql://... (default: RENYI_LEDGER)", paid},
      {"--scope", "SCOPE", "the scope that is charged", paid},
      {.name = "--block",
       .value = "NAME",
       .help = "a block that is read; may be repeated (default: everything)",
       .group = paid,
       .repeatable = true},
      {"--key", "KEY", "the same key gives the same output again, and is paid once", paid},
      {"--person", "NAME", "who releases, for the log", paid},
      {.name = "--witness", .value = "PLACE", .help = "where the ledger's witness is now", .group = paid, .rare = true},
      {"--no-ledger", "", "draw although nobody counts what it costs", paid},
      {"--epsilon", "EPSILON", "epsilon of the whole release, which is divided", noise},
      {"--delta", "DELTA", "its delta; 0 for Laplace noise", noise},
      {"--rho", "RHO", "instead: rho of zero-concentrated DP", noise},
      {"--divide", "equal-error|weights|min-variance", "how the budget is divided (default: the first)", noise},
      {"--noise", "gaussian|laplace", "the noise (default gaussian; laplace if delta is 0)", noise},
      {"--out", "FILE", "where the document goes, as JSON", asked_group},
      {"--force", "", "replace an existing file", asked_group},
      {"--dry-run", "", "only show the noise, and whether the ledger would pay (with --json: a plan file)",
       asked_group},
      format_flag(),
  };
}

}  // namespace
}  // namespace release_file

Command release_command() {
  return {
      .name = "release",
      .help = "Publish values with noise, paid for by a ledger first",
      .flags = release_file::own_flags(),
      .footer =
          "The cost is reserved and opened in the ledger, then noise is drawn, the output is committed to the\n"
          "ledger, and the file is written; in this order. A program that is killed at any moment leaves no\n"
          "output, or output that is paid for. Run it again with the same --key: it writes what was committed,\n"
          "or refuses, and never draws again. Without --key, every run is charged anew.\n"
          "\n"
          "Exit status:\n"
          "  0  released; with --dry-run: the ledger would accept, or none was named\n"
          "  1  the ledger refuses, or would\n"
          "  2  bad input: a flag, the values, the file that exists; nothing was charged\n"
          "  3  the ledger's file or database failed, or its budget cannot count this noise\n"
          "\n"
          "All but the values is public: names, bins, sensitivities and noise. The document has a standard error\n"
          "and a 95 % interval for each number, the plan, and the entry of the ledger that paid. Values beyond the\n"
          "range of a statistic, which is stated, count as its ends: say how large they may be by expected_lowest\n"
          "and expected_highest, and noise that is too small for that is refused.\n"
          "\n"
          "Examples:\n"
          "  renyi release counts.csv --epsilon 1 --delta 1e-6 --dry-run\n"
          "  renyi release counts.csv --rho 0.02 --ledger clinic.ledger --scope clinic --key november --out "
          "november.json\n"
          "  renyi release counts.csv --rho 0.02 --divide min-variance --no-ledger --out trial.json",
      .run = [](const Flags& flags,
                const CommandText&) { with_question([&](Question& question) { release_file::run(question, flags); }); },
  };
}

}  // namespace renyi::cli
