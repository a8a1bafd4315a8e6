// renyi ledger: budgets that outlive the process.
#include "apps/cli/commands/ledger.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <utility>

#include "apps/cli/commands/ledger_server.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/describe.h"
#include "apps/cli/views/ledger_view.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_file {
namespace {

constexpr const char* the_call = "The call";
constexpr const char* the_ledger = "The ledger";
constexpr const char* location_flag = "--ledger";
constexpr const char* environment = "RENYI_LEDGER";
constexpr int exit_refused = 1;

std::string of_environment() {
  const char* value = std::getenv(environment);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
  return value == nullptr ? std::string() : std::string(value);
}

struct Place {
  std::string location;
  const char* said_by;
};

// Where a flag or the environment says that the ledger is. A flag counts more.
Place place_of(const Flags& flags) {
  const auto ledger = flags.text(location_flag), server = flags.text(server_flag);
  if (ledger && server) {
    throw InvalidArgument(server_flag, *server, fmt::format("one of {} and {}", server_flag, location_flag));
  }
  if (ledger) return {*ledger, location_flag};
  if (server) return {*server, server_flag};
  const std::string told = of_environment(), told_server = server_of_environment();
  if (!told.empty() && !told_server.empty()) {
    throw InvalidArgument("RENYI_SERVER", told_server, fmt::format("one of RENYI_SERVER and {}", environment));
  }
  return told.empty() ? Place{told_server, "RENYI_SERVER"} : Place{told, environment};
}

}  // namespace
}  // namespace ledger_file

std::string ledger_of_environment() { return ledger_file::of_environment(); }

FlagText location_text() {
  return {location_argument, "", "a file, or postgresql://...; not given beside --ledger or RENYI_LEDGER"};
}

std::vector<FlagText> place_flags() {
  using namespace ledger_file;
  return joined({{{location_flag, "LEDGER",
                   "where the ledger is, instead of the first argument (default: RENYI_LEDGER)", the_ledger},
                  {"--witness", "WITNESS", "where its witness is now, if it was moved", the_ledger},
                  {"--patience", "SECONDS", "how long to wait for other writers (default 10)", the_ledger}},
                 server_flags(the_ledger)});
}

std::vector<FlagText> call_flags() {
  using namespace ledger_file;
  return {
      {"--key", "KEY", "the same key and content give the stored answer again, and never charge twice", the_call},
      {"--person", "NAME", "who asks, for the log", the_call},
      {"--comment", "TEXT", "why, for the log", the_call},
  };
}

std::vector<FlagText> call_flags_without_charge() {
  std::vector<FlagText> flags = call_flags();
  flags.front().help = "the same key and content give the stored answer again";
  return flags;
}

FlagText ledger_format(bool has_csv) {
  return {"--format", has_csv ? "table|json|csv" : "table|json", "how to print the answer (default table)",
          asked_group};
}

Flags placed(const Flags& flags, const std::vector<std::string>& arguments) {
  Flags moved = flags;
  const auto [told, said_by] = ledger_file::place_of(flags);
  if (told.empty()) {
    if (flags.given(server_flag)) throw InvalidArgument(server_flag, "nothing", "the address of a server");
    return moved;
  }
  for (std::size_t i = arguments.size(); i-- > 1;) moved.slot(arguments[i]) = flags.text(arguments[i - 1]);
  if (flags.given(arguments.back())) {
    throw InvalidArgument(arguments.back(), shown_location(*flags.text(arguments.back())),
                          fmt::format("one argument less: {} says where the ledger is", said_by));
  }
  // What looks like a location may have a password, which errors about scopes would repeat.
  const auto next = arguments.size() > 1 ? moved.text(arguments[1]) : std::nullopt;
  if (next && next->find("://") != std::string::npos) {
    throw InvalidArgument(arguments[1], shown_location(*next),
                          "one argument less: it is already said where the ledger is");
  }
  moved.slot(location_argument) = told;
  return moved;
}

std::string required(const Flags& flags, const std::string& argument, const std::string& allowed) {
  const auto text = flags.text(argument);
  if (!text || text->empty()) throw InvalidArgument(argument, "nothing", allowed);
  return *text;
}

void begin_ledger(Question& question, const Flags& flags, api::LedgerVerb verb) {
  question.understood = flags.understood;
  question.request.set("op", "ledger").set("verb", std::string(to_string(verb)));
  const std::string location =
      required(flags, location_argument, "where the ledger is: a file, or postgresql://...; RENYI_LEDGER may say it");
  question.set("ledger", location, location_argument);
  if (flags.given(server_flag) || is_server(location)) {
    question.server = server_at(location, flags);
    question.flag_at["token"] = flags.given("--token-file") ? "--token-file" : "RENYI_TOKEN";
  }
  for (const char* key : {"witness", "key", "person", "comment"}) set_text(question, flags, key);
  set_number(question, flags, "patience");
}

api::LedgerRequest opened(const api::Document& request, const Question& question) {
  api::LedgerRequest asked = api::read_ledger(request, question.server);
  if (asked.ledger && asked.ledger->upgrade()) {
    print_to_stderr(fmt::format("renyi: {}\n", api::in_words(*asked.ledger->upgrade())));
  }
  return asked;
}

void set_ticket(Question& question, const Flags& flags) {
  const std::string text =
      required(flags, ticket_argument, "the number of a ticket, as `renyi ledger reserve` printed it");
  question.set("ticket", read_integer(ticket_argument, text), ticket_argument);
}

std::vector<std::string> several_of(const Flags& flags, const std::string& flag) {
  std::vector<std::string> texts;
  std::istringstream in(flags.text(flag).value_or(""));
  for (std::string part; std::getline(in, part, ',');) texts.push_back(part);
  return texts;
}

void set_texts(Question& question, const std::string& key, const std::vector<std::string>& texts,
               const std::string& flag) {
  if (texts.empty()) return;
  api::Document list = api::Document::list();
  for (const std::string& text : texts) list.add(text);
  question.set(key, std::move(list), flag);
}

// What was acknowledged is on the disk, whether or not it can be printed.
void tell_receipt(Question& question, const Flags& flags) {
  const std::string format = output_asked(flags, "table", false).format;
  const api::LedgerRequest asked = opened(question.request, question);
  const api::LedgerAnswer answer = api::answer(asked);
  const Receipt& receipt = std::get<Receipt>(answer);
  std::vector<ScopeBalances> now;
  const bool is_paid = asked.verb == api::LedgerVerb::charge || asked.verb == api::LedgerVerb::reserve;
  if (is_paid && receipt.accepted && format != "json") {
    try {
      now = api::left_for_charge(asked);
    } catch (const StoreFailure&) {
      now.clear();  // the charge is recorded all the same
    }
  }
  try {
    show(question, format,
         format == "json" ? json_line(question, write(question.request, answer))
                          : receipt_text(asked, receipt, now, question.understood, warnings(question)));
    flush_output();
  } catch (const OutputError& error) {
    if (!receipt.accepted || asked.verb == api::LedgerVerb::may_run) throw;
    throw OutputError(error.number(),
                      fmt::format("{}; entry {} is recorded all the same", error.what(), receipt.entry));
  }
  if (!receipt.accepted) throw Failure(ledger_file::exit_refused, fmt::format("ledger: {} was refused", receipt.verb));
  // Success would let `renyi ledger charge ... && run` run the steps twice for one charge.
  if (receipt.repeated && (receipt.verb == "charge" || receipt.verb == "open")) {
    throw Failure(
        ledger_file::exit_refused,
        fmt::format("ledger: entry {} is that of the same call before; what it paid for may have run", receipt.entry));
  }
}

std::function<void(const Flags&, const CommandText&)> on_ledger(std::vector<std::string> arguments,
                                                                void (*body)(Question&, const Flags&)) {
  return [arguments = std::move(arguments), body](const Flags& flags, const CommandText&) {
    with_question([&](Question& question) { body(question, placed(flags, arguments)); });
  };
}

Command ledger_command() {
  return {
      .name = "ledger",
      .help = "Budgets that outlive the process: charged before data is touched",
      .flags = {},
      .footer =
          "A ledger is a file, or a PostgreSQL database, with budgets in a tree of scopes: organisation,\n"
          "dataset, team, analyst. A charge must fit its scope and every scope above it, and is on the disk\n"
          "before it is acknowledged. Every change is an entry of a log that shows tampering.\n"
          "\n"
          "What is to read data later is paid in three steps: reserve, then open before data or noise is\n"
          "touched, then commit. A call that is repeated with its --key is never charged twice. The guide is\n"
          "docs/guide/ledger.md, the format docs/format/ledger.md.\n"
          "\n"
          "With --server, a server keeps the ledger (renyi serve): docs/guide/client.md.\n"
          "\n"
          "Exit status: 0 done; 1 a refusal, or a log that is not valid; 2 bad input; 3 no answer: the file or\n"
          "the database failed, the ledger is a copy or behind its witness, or the steps are not supported.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger init new.ledger\n"
          "  renyi ledger scope clinic.ledger survey --kind zcdp --rho 0.5\n"
          "  renyi ledger charge clinic.ledger clinic --noise-multiplier 4\n"
          "  renyi ledger show clinic.ledger --delta 1e-6\n"
          "  renyi ledger verify clinic.ledger",
      .run = {},
      // One line for each command below this one.
      .actions = {ledger_init_command(), ledger_scope_command(), ledger_charge_command(), ledger_reserve_command(),
                  ledger_open_command(), ledger_commit_command(), ledger_cancel_command(), ledger_show_command(),
                  ledger_history_command(), ledger_verify_command(), ledger_head_command(), ledger_export_command(),
                  ledger_import_command()},
  };
}

}  // namespace renyi::cli
