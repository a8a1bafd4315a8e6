#include "apps/cli/flags/budget_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>

#include "api/api.h"
#include "api/filter.h"
#include "api/number_text.h"
#include "apps/cli/flags/answer_flags.h"
#include "apps/cli/flags/choice.h"
#include "apps/cli/flags/written_number.h"
#include "apps/cli/io/files.h"
#include "renyi/error.h"

namespace renyi::cli {
namespace budget_flags_file {
namespace {

using api::Document;

const std::string kind_flag = "--kind", like_flag = "--like", orders_name = "--orders", budget_flag = "--budget";
const std::string cap_flag = "--cap", limit_flag = "--limit", share_flag = "--share";
const std::string neighbors_flag = "--neighbors", unit_flag = "--unit";
constexpr const char* the_budget = "The budget";
constexpr const char* infinite_mass_help = "the probability of an infinite loss that all steps together may have";

// The numbers of budgets that have a flag of their own, by their names in files.
constexpr std::array<std::string_view, 7> numbers{"rho", "omega", "mu", "epsilon", "delta", "order", "infinite_mass"};

std::string flag_of(std::string_view key) {
  std::string flag = fmt::format("--{}", key);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const BudgetKind kind : all_budget_kinds) names.emplace_back(to_string(kind));
  return names;
}

// The flags of each kind, beside --infinite-mass.
std::vector<std::string> flags_of(BudgetKind kind) {
  switch (kind) {
    case BudgetKind::pure: return {"--epsilon"};
    case BudgetKind::zcdp: return {"--rho"};
    case BudgetKind::tcdp: return {"--rho", "--omega"};
    case BudgetKind::gdp: return {"--mu"};
    case BudgetKind::approx: return {"--epsilon", "--delta"};
    case BudgetKind::order: return {"--order", "--epsilon"};
    case BudgetKind::curve: return {limit_flag};
    case BudgetKind::shares: break;
  }
  return {"--epsilon", share_flag, "--delta", orders_name};
}

// Refuses the flags of other kinds. `fixed` are flags that the command does not have.
void refuse_flags_of_others(const Flags& flags, BudgetKind own, const std::vector<std::string>& fixed = {}) {
  const auto has = [](const std::vector<std::string>& list, const std::string& flag) {
    return std::find(list.begin(), list.end(), flag) != list.end();
  };
  std::vector<std::string> taken = flags_of(own);
  std::erase_if(taken, [&](const std::string& flag) { return has(fixed, flag); });
  for (const BudgetKind other : all_budget_kinds) {
    for (const std::string& flag : flags_of(other)) {
      if (!flags.given(flag) || has(taken, flag)) continue;
      std::vector<std::string_view> owners;
      for (const BudgetKind kind : all_budget_kinds) {
        if (kind != own && has(flags_of(kind), flag)) owners.push_back(to_string(kind));
      }
      throw InvalidArgument(flag, *flags.text(flag),
                            fmt::format("{} or --infinite-mass, the numbers of {} ({} belongs to {})",
                                        fmt::join(taken, ", "), to_string(own), flag, fmt::join(owners, ", ")));
    }
  }
}

// Refuses budgets by orders without orders.
void require_orders(const Flags& flags, BudgetKind kind) {
  if (kind == BudgetKind::curve && !flags.given(limit_flag)) {
    throw InvalidArgument(limit_flag, "nothing",
                          fmt::format("{} ORDER:EPSILON, which may be repeated, or {} PLAN", limit_flag, like_flag));
  }
  if (kind != BudgetKind::shares) return;
  const bool by_delta = flags.given("--delta"), by_orders = flags.given(orders_name);
  if (flags.given(share_flag) && (by_delta || by_orders)) {
    throw InvalidArgument(share_flag, *flags.text(share_flag),
                          fmt::format("{}, or --delta and {}, but not both", share_flag, orders_name));
  }
  if (flags.given(share_flag) || (by_delta && by_orders)) return;
  throw InvalidArgument(
      by_delta    ? orders_name
      : by_orders ? "--delta"
                  : share_flag,
      "nothing",
      fmt::format("{} ORDER:DELTA, which may be repeated, or --delta DELTA and {} LIST", share_flag, orders_name));
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

Document order_of(const std::string& flag, const std::string& text) {
  return text == "inf" ? Document("inf") : Document(read_number(flag, text));
}

// Reads "8:0.5,16:1" as rows of an order and the number named `key`.
Document rows_of(const std::string& flag, const std::string& text, const std::string& key) {
  Document rows = Document::list();
  for (const std::string& part : parts_of(text, ',')) {
    const auto colon = part.find(':');
    if (colon == std::string::npos) {
      throw InvalidArgument(flag, part, fmt::format("ORDER:{}, such as 8:0.5", key == "delta" ? "DELTA" : "EPSILON"));
    }
    Document row;
    row.set("order", order_of(flag, part.substr(0, colon)));
    row.set(key, read_number(flag, part.substr(colon + 1)));
    rows.add(std::move(row));
  }
  return rows;
}

// Puts the numbers that flags give into a budget. Returns whether there were any.
bool set_numbers_of(Document& budget, Question& question, const Flags& flags) {
  bool any = false;
  const auto set = [&](const std::string& key, const std::string& flag, const auto& read) {
    question.flag_at[key] = flag;
    const auto text = flags.text(flag);
    if (!text) return;
    budget.set(key, read(*text));
    any = true;
  };
  for (const std::string_view key : numbers) {
    const std::string flag = flag_of(key);
    set(std::string(key), flag, [&](const std::string& text) { return Document(read_number(flag, text)); });
  }
  set("limits", limit_flag, [](const std::string& text) { return rows_of(limit_flag, text, "epsilon"); });
  set("shares", share_flag, [](const std::string& text) { return rows_of(share_flag, text, "delta"); });
  set("orders", orders_name, [](const std::string& text) {
    Document orders = Document::list();
    for (const std::string& order : parts_of(text, ',')) orders.add(order_of(orders_name, order));
    return orders;
  });
  return any;
}

FlagText number_flag(std::string_view key, std::string help) {
  return {flag_of(key), "NUMBER", std::move(help), the_budget};
}

FlagText several(const std::string& flag, std::string value, std::string help) {
  return {.name = flag, .value = std::move(value), .help = std::move(help), .group = the_budget, .repeatable = true};
}

std::vector<FlagText> number_flags() {
  return {
      number_flag("rho", "of zcdp and tcdp"),
      number_flag("omega", "of tcdp: the largest order"),
      number_flag("mu", "of gdp"),
      number_flag("epsilon", "of pure, approx, order and shares"),
      number_flag("delta", "of approx; of shares with --orders, to be divided equally"),
      number_flag("order", "of order: the one order, above 1"),
      several(limit_flag, "ORDER:EPSILON", "of curve: the limit at an order; may be repeated"),
      several(share_flag, "ORDER:DELTA", "of shares: the share of an order; may be repeated"),
      number_flag("infinite_mass", fmt::format("{} (default 0)", infinite_mass_help)),
      {budget_flag, "JSON", "all of it, as in files (docs/format/filter.md)", the_budget},
  };
}

// What is fixed when the filter is made.
const std::vector<std::string> fixed_flags{"--omega", "--order"};

// Refuses flags beside --budget, which says the same.
void refuse_beside_budget(const Flags& flags) {
  std::vector<std::string> others{kind_flag, like_flag, orders_name};
  for (const FlagText& text : number_flags()) others.push_back(text.name);
  for (const std::string& other : others) {
    if (other == budget_flag || !flags.given(other)) continue;
    throw InvalidArgument(other, *flags.text(other),
                          fmt::format("no {} beside {}, which says all of it", other, budget_flag));
  }
}

// Reads a budget that is given as JSON. Errors name the flag.
Budget budget_in(const std::string& flag, const std::string& text, const Adjacency& relation) {
  try {
    return api::budget_of(api::read(text), relation);
  } catch (const InvalidArgument& error) {
    throw InvalidArgument(error.path().empty() ? flag : fmt::format("{}: {}", flag, error.path()), error.value(),
                          error.allowed());
  }
}

// Reads a cap: JSON, or "rho=1,infinite_mass=1e-6" for numbers that differ from those of the budget.
Budget cap_in(const std::string& text, const Budget& budget, const Adjacency& relation) {
  if (text.starts_with('{')) return budget_in(cap_flag, text, relation);
  Document cap = api::read(api::text_of(budget));
  for (const std::string& part : parts_of(text, ',')) {
    const auto equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (equals == std::string::npos || std::find(numbers.begin(), numbers.end(), key) == numbers.end()) {
      throw InvalidArgument(cap_flag, part,
                            fmt::format("NAME=NUMBER with one of {}; or a budget as JSON", fmt::join(numbers, ", ")));
    }
    cap.set(key, read_number(cap_flag, part.substr(equals + 1)));
  }
  return budget_in(cap_flag, cap.text(), relation);
}

Neighbors neighbors_in(const std::string& text) {
  std::vector<std::string> names;
  for (const Neighbors relation : {Neighbors::add_or_remove_one, Neighbors::replace_one, Neighbors::zero_out}) {
    if (to_string(relation) == text) return relation;
    names.emplace_back(to_string(relation));
  }
  refuse_choice(neighbors_flag, text, names);
}

Adjacency relation_of(const Flags& flags) {
  Adjacency relation;
  if (const auto text = flags.text(neighbors_flag)) relation.neighbors = neighbors_in(*text);
  if (const auto text = flags.text(unit_flag)) relation.unit = read_integer(unit_flag, *text, largest_unit);
  return relation;
}

// A budget of whatever a plan would cost. The relation is that of the plan.
StatedBudget budget_like(Question& question, const Flags& flags, Document budget) {
  for (const std::string& flag : {neighbors_flag, unit_flag}) {
    if (flags.given(flag)) {
      throw InvalidArgument(flag, *flags.text(flag),
                            fmt::format("no {} beside {}: the plan states it", flag, like_flag));
    }
  }
  Input input(*flags.text(like_flag));
  question.source = input.name();
  const Document plan = api::request_from_plan(input.read_all());
  const Adjacency relation = api::steps_of(plan, {}).adjacency();
  question.source.clear();
  budget.set("kind", std::string(to_string(BudgetKind::curve))).set("plan", plan.picked({"steps"}));
  return {api::budget_of(budget, relation), {}, relation};
}

StatedBudget without_cap(Question& question, const Flags& flags) {
  if (const auto text = flags.text(budget_flag)) {
    refuse_beside_budget(flags);
    const Adjacency relation = relation_of(flags);
    return {budget_in(budget_flag, *text, relation), {}, relation};
  }
  Document budget;
  question.flag_at["kind"] = kind_flag;
  set_numbers_of(budget, question, flags);
  const auto kind = flags.text(kind_flag);
  if (flags.given(like_flag)) {
    if (kind && *kind != to_string(BudgetKind::curve)) {
      throw InvalidArgument(kind_flag, *kind, fmt::format("curve, or no kind, beside {}", like_flag));
    }
    return budget_like(question, flags, std::move(budget));
  }
  if (!kind) {
    throw InvalidArgument(kind_flag, "nothing",
                          fmt::format("one of {}; or --like PLAN, or --budget JSON", fmt::join(kinds(), ", ")));
  }
  const auto known = kinds();
  if (std::find(known.begin(), known.end(), *kind) == known.end()) refuse_choice(kind_flag, *kind, known);
  const BudgetKind chosen =
      all_budget_kinds[static_cast<std::size_t>(std::find(known.begin(), known.end(), *kind) - known.begin())];
  refuse_flags_of_others(flags, chosen);
  require_orders(flags, chosen);
  budget.set("kind", *kind);
  const Adjacency relation = relation_of(flags);
  return {api::budget_of(budget, relation), {}, relation};
}

}  // namespace
}  // namespace budget_flags_file

std::vector<FlagText> changed_budget_flags() {
  using namespace budget_flags_file;
  std::vector<FlagText> flags = number_flags();
  std::erase_if(flags, [](const FlagText& flag) {
    return std::find(fixed_flags.begin(), fixed_flags.end(), flag.name) != fixed_flags.end();
  });
  for (FlagText& flag : flags) {
    if (flag.name == "--delta") flag.help = "of approx";
    if (flag.name == "--infinite-mass") flag.help = infinite_mass_help;
  }
  return flags;
}

std::vector<FlagText> new_budget_flags() {
  using namespace budget_flags_file;
  const std::vector<FlagText> first{{kind_flag, fmt::format("{}", fmt::join(kinds(), "|")),
                                     "what is limited: zcdp for mixed noise, gdp for Gaussian noise, pure for Laplace "
                                     "noise, approx for (epsilon, delta) releases, tcdp up to an order, order, curve "
                                     "or shares for training on samples (docs/guide/how-much-is-left.md)",
                                     the_budget}};
  const std::vector<FlagText> others{
      {like_flag, "PLAN", "a curve: whatever this plan file would cost", the_budget},
      {orders_name, "LIST", "with --like: the orders of the curve; of shares: the orders", the_budget},
      {cap_flag, "NAME=NUMBER,...|JSON",
       "the most to which the budget may be raised later: numbers that differ from those of the budget, or all of it "
       "(default: the budget)",
       the_budget},
      {neighbors_flag, "add-or-remove-one|replace-one|zero-out", "what neighbouring datasets are (default: the first)",
       the_budget},
      {.name = unit_flag,
       .value = "K",
       .help = "how many records a person may have (default 1)",
       .group = the_budget,
       .whole = true},
  };
  return joined({first, number_flags(), others});
}

StatedBudget stated_budget(Question& question, const Flags& flags) {
  StatedBudget stated = budget_flags_file::without_cap(question, flags);
  if (const auto text = flags.text(budget_flags_file::cap_flag)) {
    stated.cap = budget_flags_file::cap_in(*text, stated.budget, stated.relation);
    if (!stated.budget.is_within(*stated.cap)) {
      throw InvalidArgument(budget_flags_file::cap_flag, *text,
                            "a budget of the same kind and orders, with no number below that of the budget");
    }
  }
  return stated;
}

namespace budget_flags_file {
namespace {

double number_at(const OrderLimit& limit) { return limit.epsilon; }
double number_at(const OrderShare& share) { return share.delta; }

// Puts the numbers that a flag gives to some orders into those that a budget has.
template <class At>
void merge_by_order(std::vector<At>& own, const std::vector<At>& given, const std::vector<At>& cap,
                    const std::string& flag) {
  for (const At& one : given) {
    const auto same = [&](const At& other) { return other.order == one.order; };
    const auto place = std::find_if(own.begin(), own.end(), same);
    const auto most = std::find_if(cap.begin(), cap.end(), same);
    const std::string order = api::short_decimal(one.order);
    if (place == own.end() || most == cap.end()) {
      std::vector<std::string> orders;
      for (const At& known : own) orders.push_back(api::short_decimal(known.order));
      throw InvalidArgument(
          flag, fmt::format("order {}", order),
          fmt::format("one of {}: the orders are fixed when the filter is made", fmt::join(orders, ", ")));
    }
    if (number_at(one) > number_at(*most)) {
      throw InvalidArgument(flag, fmt::format("{}:{}", order, api::short_decimal(number_at(one))),
                            fmt::format("at order {}, at most {} as in the cap: what was promised at the start is not "
                                        "raised",
                                        order, api::short_decimal(number_at(*most))));
    }
    *place = one;
  }
}

// Returns the budget with the numbers that flags give to some of its orders. `given` states these alone.
Budget with_orders_of(const Budget& given, const Budget& own, const Budget& cap, const Flags& flags) {
  std::vector<OrderLimit> limits = own.limits;
  std::vector<OrderShare> shares = own.order_shares;
  if (flags.given(limit_flag)) merge_by_order(limits, given.limits, cap.limits, limit_flag);
  if (flags.given(share_flag)) merge_by_order(shares, given.order_shares, cap.order_shares, share_flag);
  const Budget merged = own.kind == BudgetKind::curve ? Budget::curve(std::move(limits))
                                                      : Budget::shares(given.epsilon, std::move(shares));
  return merged.with_infinite_mass(given.infinite_mass);
}

}  // namespace
}  // namespace budget_flags_file

Budget changed_budget(Question& question, const Flags& flags, const Filter& filter) {
  using namespace budget_flags_file;
  const Adjacency& relation = filter.adjacency();
  const Budget& own = filter.budget();
  if (const auto text = flags.text(budget_flag)) {
    refuse_beside_budget(flags);
    return budget_in(budget_flag, *text, relation);
  }
  std::vector<std::string> fixed = fixed_flags;
  fixed.push_back(orders_name);
  if (own.kind == BudgetKind::shares) fixed.emplace_back("--delta");
  refuse_flags_of_others(flags, own.kind, fixed);
  Document changed = api::read(api::text_of(own));
  if (!set_numbers_of(changed, question, flags)) {
    throw InvalidArgument("--budget", "nothing", "the new limits: a flag such as --rho, or --budget JSON");
  }
  const Budget given = api::budget_of(changed, relation);
  const bool by_orders = own.kind == BudgetKind::curve || own.kind == BudgetKind::shares;
  return by_orders ? with_orders_of(given, own, filter.cap(), flags) : given;
}

}  // namespace renyi::cli
