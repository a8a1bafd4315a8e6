// renyi ledger charge, reserve, open, commit, cancel: what is paid for.
#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>

#include "apps/cli/commands/ledger.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/run_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_charge_file {
namespace {

const std::string count_flag = "--count", block_flag = "--block", expires_flag = "--expires";
const std::string secret_flag = "--secret-file", output_flag = "--output", digest_flag = "--output-sha256";
constexpr std::size_t longest_secret = 1000;

// The steps of the flags or of the plan file. What flags do not say of the relation is that of the scope.
void set_steps(Question& question, const Flags& flags) {
  question.set("scope", required(flags, scope_argument, "the name of a scope"), scope_argument);
  set_run(question, flags, "");
  question.flag_at["count"] = count_flag;
  if (const auto text = flags.text(count_flag)) question.request.set("count", read_integer(count_flag, *text));
  set_texts(question, "blocks", several_of(flags, block_flag), block_flag);
}

void charge(Question& question, const Flags& flags) {
  const bool only_asks = flags.given("--dry-run");
  begin_ledger(question, flags, only_asks ? api::LedgerVerb::may_run : api::LedgerVerb::charge);
  if (only_asks) {
    for (const char* key : {"key", "person", "comment"}) question.request.erase(key);
  }
  set_steps(question, flags);
  tell_receipt(question, flags);
}

// "90", "90s", "30m", "2h" or "7d".
std::int64_t seconds_of(const std::string& text) {
  constexpr std::int64_t most = 366LL * 86'400;
  const std::string allowed = "a time such as 90s, 30m, 2h or 7d, up to 366d";
  if (text.empty()) throw InvalidArgument(expires_flag, "nothing", allowed);
  std::int64_t unit = 1;
  std::string number = text;
  switch (text.back()) {
    case 's': unit = 1; break;
    case 'm': unit = 60; break;
    case 'h': unit = 3600; break;
    case 'd': unit = 86'400; break;
    default: number += 's';
  }
  number.pop_back();
  try {
    return unit * read_integer(expires_flag, number, most / unit);
  } catch (const InvalidArgument&) {
    throw InvalidArgument(expires_flag, text, allowed);
  }
}

void reserve(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::reserve);
  set_steps(question, flags);
  question.set("expires_in", seconds_of(flags.text(expires_flag).value_or("1h")), expires_flag);
  tell_receipt(question, flags);
}

// A secret on the command line could be read by every user of the machine.
std::string secret_of(const Flags& flags) {
  std::string secret;
  const char* told = std::getenv("RENYI_TICKET_SECRET");  // NOLINT(concurrency-mt-unsafe): nothing changes it here
  const auto file = flags.text(secret_flag);
  if (!file && told != nullptr) {
    secret = told;
  } else {
    Input input(file.value_or("-"));
    if (const auto line = input.next_line(longest_secret)) secret = line->text;
  }
  if (secret.empty()) {
    throw InvalidArgument(secret_flag, "nothing",
                          "the secret that `renyi ledger reserve` printed: in a file, on standard input, or in "
                          "RENYI_TICKET_SECRET");
  }
  return secret;
}

void open(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::open);
  set_ticket(question, flags);
  question.set("secret", secret_of(flags), secret_flag);
  tell_receipt(question, flags);
}

void commit(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::commit);
  set_ticket(question, flags);
  if (const auto file = flags.text(output_flag)) question.set("output", Input(*file).read_all(), output_flag);
  if (const auto digest = flags.text(digest_flag)) question.set("output_sha256", *digest, digest_flag);
  tell_receipt(question, flags);
}

void cancel(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::cancel);
  set_ticket(question, flags);
  tell_receipt(question, flags);
}

std::vector<FlagText> flags_of_steps(const std::vector<FlagText>& own) {
  return joined({{location_text(), {scope_argument, "", "the scope that pays"}},
                 run_flags(),
                 {{.name = count_flag,
                   .value = "N",
                   .help = "how often all of it is to run (default 1)",
                   .group = asked_group,
                   .whole = true},
                  {.name = block_flag,
                   .value = "NAME",
                   .help = "a block that is read; may be repeated (default: everything)",
                   .group = asked_group,
                   .repeatable = true}},
                 own,
                 place_flags(),
                 call_flags(),
                 {ledger_format(false)}});
}

std::vector<FlagText> flags_of_tickets(const std::vector<FlagText>& own) {
  return joined({{location_text(), {ticket_argument, "", "the number of the ticket"}},
                 own,
                 place_flags(),
                 call_flags_without_charge(),
                 {ledger_format(false)}});
}

const std::vector<std::string> step_arguments{location_argument, scope_argument, std::string(plan_argument)};
const std::vector<std::string> ticket_arguments{location_argument, ticket_argument};

}  // namespace
}  // namespace ledger_charge_file

Command ledger_charge_command() {
  using namespace ledger_charge_file;
  return {
      .name = "ledger charge",
      .help = "Charge steps that are about to run, if they fit",
      .flags = flags_of_steps({{"--dry-run", "", "only ask whether they would fit; nothing is recorded", asked_group}}),
      .footer =
          "Run the steps only after they were charged (exit status 0). What does not fit the scope, or one\n"
          "above it, is refused (1): the refusal says what is left and what would fit, and is recorded.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger charge clinic.ledger clinic --noise-multiplier 4\n"
          "  renyi ledger charge clinic.ledger clinic --scale 50 --count 3 --person ana --key monthly-2026-11\n"
          "  renyi ledger charge clinic.ledger clinic --noise-multiplier 8 --dry-run",
      .run = on_ledger(step_arguments, charge),
  };
}

Command ledger_reserve_command() {
  using namespace ledger_charge_file;
  return {
      .name = "ledger reserve",
      .help = "Reserve what steps will cost; prints a ticket and its secret",
      .flags = flags_of_steps({{expires_flag, "TIME",
                                "when it goes back if it is not opened: 90s, 30m, 2h, 7d (default 1h)", asked_group}}),
      .footer =
          "The ticket is opened by its secret, once, before data or noise is touched. Until then it can be\n"
          "cancelled, unless the scope withholds that, and it expires.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger reserve clinic.ledger clinic --noise-multiplier 4 --expires 30m --key monthly",
      .run = on_ledger(step_arguments, reserve),
  };
}

Command ledger_open_command() {
  using namespace ledger_charge_file;
  return {
      .name = "ledger open",
      .help = "Open a ticket, once, before data or noise is touched",
      .flags = flags_of_tickets(
          {{secret_flag, "FILE", "the file with the secret, or - (default: RENYI_TICKET_SECRET, else standard input)",
            asked_group}}),
      .footer =
          "Touch data only if this ends with exit status 0 and the answer is not a repeated one. What was\n"
          "opened stays spent.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger open clinic.ledger 2 --secret-file ticket.secret",
      .run = on_ledger(ticket_arguments, open),
  };
}

Command ledger_commit_command() {
  using namespace ledger_charge_file;
  return {
      .name = "ledger commit",
      .help = "Say that what an opened ticket paid for was published",
      .flags = flags_of_tickets(
          {{output_flag, "FILE", "the text that was published; it is stored with the ticket", asked_group},
           {digest_flag, "HEX", "only its SHA-256", asked_group}}),
      .footer =
          "Examples:\n"
          "  renyi ledger commit clinic.ledger 3 --output survey.csv",
      .run = on_ledger(ticket_arguments, commit),
  };
}

Command ledger_cancel_command() {
  using namespace ledger_charge_file;
  return {
      .name = "ledger cancel",
      .help = "Give back what a ticket reserves that was not opened",
      .flags = flags_of_tickets({}),
      .footer =
          "Examples:\n"
          "  renyi ledger cancel clinic.ledger 2 --comment \"the survey was called off\"",
      .run = on_ledger(ticket_arguments, cancel),
  };
}

}  // namespace renyi::cli
