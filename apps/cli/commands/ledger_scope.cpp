// renyi ledger init, renyi ledger scope: make a ledger and its budgets, and change them.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "api/api.h"
#include "api/filter.h"
#include "apps/cli/commands/ledger.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/budget_flags.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace ledger_scope_file {
namespace {

constexpr const char* the_scope = "The scope";
const std::string lower_flag = "--lower", raise_flag = "--raise", add_flag = "--add-block", reason_flag = "--reason";
const std::string rule_flag = "--block-rule", block_flag = "--block";

void init(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::init);
  tell_receipt(question, flags);
}

// Whoever gives numbers without a kind may mean a scope that there is.
void refuse_existing(const Question& question) {
  api::Document asked = question.request.picked({"op", "ledger", "witness", "patience", "scope"});
  asked.set("verb", "show");
  try {
    static_cast<void>(api::answer(opened(asked, question)));
  } catch (const InvalidArgument&) {
    return;
  }
  throw InvalidArgument(scope_argument, "a scope that exists",
                        fmt::format("a new name with --kind; or {} or {} beside the numbers", raise_flag, lower_flag));
}

// A new scope. What is not said of the relation is that of the parent.
void add(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::scope);
  question.set("scope", required(flags, scope_argument, "the name of the new scope"), scope_argument);
  if (flags.given(reason_flag)) throw InvalidArgument(reason_flag, *flags.text(reason_flag), "a reason beside --raise");
  if (!flags.given("--kind")) refuse_existing(question);
  const StatedBudget stated = stated_budget(question, flags);
  question.request.set("budget", api::read(api::text_of(stated.budget)));
  if (stated.cap) question.request.set("cap", api::read(api::text_of(*stated.cap)));
  if (flags.given("--neighbors") || flags.given("--unit") || flags.given("--like")) {
    question.request.set("neighbors", std::string(to_string(stated.relation.neighbors)));
    question.request.set("unit", stated.relation.unit);
  }
  if (flags.given("--no-collusion")) question.request.set("analysts_may_collude", false);
  if (flags.given("--no-cancel")) question.request.set("may_cancel", false);
  if (const auto rule = flags.text(rule_flag)) {
    api::Document block_rule;
    block_rule.set("rule", *rule);
    block_rule.set("unit_in_one_block", flags.given("--one-block-per-unit"));
    block_rule.set("block_is_fixed", flags.given("--fixed-block"));
    question.set("block_rule", std::move(block_rule), rule_flag);
  } else {
    for (const char* flag : {"--one-block-per-unit", "--fixed-block"}) {
      if (flags.given(flag)) throw InvalidArgument(flag, "no rule", fmt::format("{} TEXT beside it", rule_flag));
    }
  }
  set_texts(question, "blocks", several_of(flags, block_flag), block_flag);
  tell_receipt(question, flags);
}

void add_blocks(Question& question, const Flags& flags) {
  begin_ledger(question, flags, api::LedgerVerb::blocks);
  question.set("scope", required(flags, scope_argument, "the name of a scope"), scope_argument);
  set_texts(question, "blocks", several_of(flags, add_flag), add_flag);
  tell_receipt(question, flags);
}

// Numbers that are not given stay as they are.
void change_budget(Question& question, const Flags& flags, bool raises) {
  begin_ledger(question, flags, api::LedgerVerb::show);
  const std::string name = required(flags, scope_argument, "the name of a scope");
  question.set("scope", name, scope_argument);
  api::Document asked_before = question.request.picked({"op", "verb", "ledger", "witness", "patience", "scope"});
  const api::LedgerAnswer shown = api::answer(opened(asked_before, question));
  const ScopeState& state = std::get<api::LedgerShown>(shown).scopes.at(0).state;
  const Filter now(state.settings.budget, state.relation, state.settings.cap);
  question.request.set("budget", api::read(api::text_of(changed_budget(question, flags, now))));
  question.request.set("verb", raises ? "raise" : "lower");
  question.flag_at["reason"] = reason_flag;
  if (raises) question.request.set("reason", flags.text(reason_flag).value_or(""));
  tell_receipt(question, flags);
}

void run(Question& question, const Flags& flags) {
  const int changes = static_cast<int>(flags.given(lower_flag)) + static_cast<int>(flags.given(raise_flag)) +
                      static_cast<int>(flags.given(add_flag));
  if (changes > 1) throw InvalidArgument(lower_flag, "several", "one of --lower, --raise and --add-block at a time");
  if (flags.given(add_flag)) return add_blocks(question, flags);
  if (flags.given(lower_flag) || flags.given(raise_flag)) {
    return change_budget(question, flags, flags.given(raise_flag));
  }
  add(question, flags);
}

}  // namespace
}  // namespace ledger_scope_file

Command ledger_init_command() {
  std::vector<FlagText> place = place_flags();
  for (FlagText& flag : place) {
    if (flag.name == "--witness") flag.help = "its witness: a second file or database that is to be made, or exists";
  }
  return {
      .name = "ledger init",
      .help = "Make a ledger",
      .flags = joined({{location_text()}, place, {ledger_format(false)}}),
      .footer =
          "A witness is a second file or database, best on another machine. It gets the number and the hash of\n"
          "each entry before a charge is acknowledged, so that an old copy of the ledger that is put in its\n"
          "place is noticed. It is given here, once.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger init new.ledger\n"
          "  renyi ledger init seen.ledger --witness seen.witness",
      .run = on_ledger({location_argument}, ledger_scope_file::init),
  };
}

namespace ledger_scope_file {
namespace {

// What makes and changes scopes comes first: the help of one screen ends before the flags that few need.
std::vector<FlagText> flags_of_scopes() {
  const std::vector<FlagText> own{
      {lower_flag, "", "lower the budget of an existing scope to the numbers given", the_scope},
      {raise_flag, "", "raise it, up to the cap", the_scope},
      {reason_flag, "TEXT", "why it is raised", the_scope},
      {rule_flag, "TEXT", "the public rule that divides the data into blocks, in words", the_scope},
      {"--one-block-per-unit", "", "the rule puts each unit of privacy into one block", the_scope},
      {"--fixed-block", "", "a unit that is replaced stays in its block", the_scope},
      {.name = block_flag,
       .value = "NAME",
       .help = "a block of the new scope; may be repeated",
       .group = the_scope,
       .repeatable = true},
      {.name = add_flag,
       .value = "NAME",
       .help = "declare a block of an existing scope; may be repeated",
       .group = the_scope,
       .repeatable = true},
      {"--no-collusion", "", "the scopes directly within share no answers: their largest total counts", the_scope},
      {"--no-cancel", "", "reservations here and within cannot be cancelled", the_scope}};
  std::vector<FlagText> budget = new_budget_flags();
  for (FlagText& flag : budget) {
    const bool is_usual = flag.name == "--kind" || flag.name == "--epsilon" || flag.name == "--rho" ||
                          flag.name == "--mu" || flag.name == "--delta" || flag.name == "--cap";
    flag.rare = !is_usual;
  }
  std::vector<FlagText> place = place_flags();
  for (FlagText& flag : place) flag.rare = true;
  return joined({{location_text(), {scope_argument, "", "its name; clinic/oncology lies within clinic"}},
                 budget,
                 own,
                 call_flags_without_charge(),
                 place,
                 {ledger_format(false)}});
}

}  // namespace
}  // namespace ledger_scope_file

Command ledger_scope_command() {
  using namespace ledger_scope_file;
  return {
      .name = "ledger scope",
      .help = "Make a scope, add blocks to it, lower or raise its budget",
      .flags = flags_of_scopes(),
      .footer =
          "The relation and the unit of a scope are those of its parent. The cap is fixed here; the guarantee\n"
          "is that of the cap. Analysts may collude unless --no-collusion says otherwise: then every statement\n"
          "says \"per analyst; void if answers are shared\".\n"
          "\n"
          "Charges on different blocks add up, unless each unit of privacy lies in one block (and, under\n"
          "replace-one, stays there): then the largest total of a block counts.\n"
          "\n"
          "Examples:\n"
          "  renyi ledger scope clinic.ledger survey --kind zcdp --rho 0.5 --cap rho=1\n"
          "  renyi ledger scope clinic.ledger clinic/oncology --kind gdp --mu 0.5 --no-cancel\n"
          "  renyi ledger scope clinic.ledger visits --kind zcdp --rho 0.5 --block-rule \"the month of the visit\" "
          "--one-block-per-unit --block 2026-10 --block 2026-11\n"
          "  renyi ledger scope clinic.ledger clinic --lower --rho 0.3\n"
          "  renyi ledger scope clinic.ledger clinic --raise --rho 0.8 --reason \"the board, 17 November\"",
      .run = on_ledger({location_argument, scope_argument}, ledger_scope_file::run),
  };
}

}  // namespace renyi::cli
