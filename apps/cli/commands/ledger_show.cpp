// renyi ledger show: scopes, tickets, and how a scope was spent.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/figure/records.h"
#include "apps/cli/commands/ledger.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/output.h"
#include "apps/cli/views/ledger_view.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_show_file {
namespace {

const std::string ticket_flag = "--ticket", burn_down_flag = "--burn-down";

void show_ticket(Question& question, const Flags& flags, const std::string& text) {
  const std::string format = output_asked(flags, "table", false).format;
  for (const std::string& other :
       {std::string(scope_argument), burn_down_flag, std::string("--delta"), plot_flag().name}) {
    if (flags.given(other)) throw InvalidArgument(other, "beside " + ticket_flag, "nothing: a ticket alone is shown");
  }
  begin_ledger(question, flags, api::LedgerVerb::ticket);
  question.set("ticket", read_integer(ticket_flag, text), ticket_flag);
  const api::LedgerAnswer answer = api::answer(opened(question.request, question));
  show(question, format,
       format == "json" ? write(question.request, answer) + '\n' : ticket_text(std::get<api::ShownTicket>(answer)));
}

// The table is by days; the picture shows every entry.
void run(Question& question, const Flags& flags) {
  if (const auto ticket = flags.text(ticket_flag)) return show_ticket(question, flags, *ticket);
  const Output output = output_asked(flags, "table", true);
  begin_ledger(question, flags, api::LedgerVerb::show);
  set_number(question, flags, "delta");
  const auto scope = flags.text(scope_argument);
  if (scope) question.set("scope", *scope, scope_argument);
  const bool burns = flags.given(burn_down_flag);
  if (!scope && (burns || output.picture)) {
    throw InvalidArgument(burns ? burn_down_flag : plot_flag().name, "every scope", "the name of one SCOPE beside it");
  }
  if (burns) question.set("burn_down", "day", burn_down_flag);
  const api::LedgerRequest asked = opened(question.request, question);
  const api::LedgerAnswer answer = api::answer(asked);
  const auto& shown = std::get<api::LedgerShown>(answer);
  if (output.format == "json") {
    show(question, output.format, write(question.request, answer) + '\n');
  } else if (burns) {
    const api::ShownScope& one = shown.scopes.front();
    show(question, output.format,
         output.format == "csv" ? burn_down_csv(*one.burn_down) : burn_down_text(one.state, *one.burn_down));
  } else {
    show(question, output.format, output.format == "csv" ? scopes_csv(shown) : scopes_text(asked, shown));
  }
  if (output.picture) save_picture(api::figure::ledger_figure(asked, shown.scopes.front().state), *output.picture);
}

}  // namespace
}  // namespace ledger_show_file

Command ledger_show_command() {
  using namespace ledger_show_file;
  return {
      .name = "ledger show",
      .help = "What is spent and left in every scope, and how it was spent",
      .flags = joined(
          {{location_text(),
            {scope_argument, "", "one scope (default: all)"},
            {"--delta", "DELTA", "also show what the cap of a scope guarantees: epsilon at this delta", asked_group},
            {burn_down_flag, "", "what was spent day by day", asked_group},
            {ticket_flag, "TICKET", "one ticket: its state, and what it published", asked_group},
            plot_flag(),
            ledger_format(true)},
           place_flags()}),
      .footer =
          "A scope with blocks, or whose analysts share no answers, shows its largest balances. Without a\n"
          "witness, nobody can notice that an older copy of the ledger was put in its place.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger show clinic.ledger --delta 1e-6\n"
          "  renyi ledger show clinic.ledger clinic --burn-down --plot clinic.svg\n"
          "  renyi ledger show clinic.ledger --ticket 3 --format json",
      .run = on_ledger({location_argument, scope_argument}, run),
  };
}

}  // namespace renyi::cli
