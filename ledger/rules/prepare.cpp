// What can be wrong with a request: everything is found here, before anything is decided.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ledger/rules/book.h"
#include "ledger/rules/budget_change.h"
#include "names/suggestion.h"
#include "renyi/error.h"

namespace renyi::ledger {

namespace prepare_file {
namespace {

constexpr std::size_t longest_part = 64;
constexpr std::size_t deepest = 16;

bool is_name_part(std::string_view part) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  };
  return !part.empty() && part.size() <= longest_part && std::all_of(part.begin(), part.end(), is_allowed);
}

}  // namespace
}  // namespace prepare_file

std::string parent_name(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

void check_scope_name(const std::string& name) {
  std::size_t parts = 0, begin = 0;
  bool valid = !name.empty();
  while (valid && begin <= name.size()) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    valid = prepare_file::is_name_part(std::string_view(name).substr(begin, end - begin)) &&
            ++parts <= prepare_file::deepest;
    begin = end + 1;
  }
  if (valid) return;
  throw InvalidArgument("scope", '"' + name.substr(0, 100) + '"',
                        "up to 16 parts divided by slashes, each of 1 to 64 letters, digits, dots, hyphens and "
                        "underscores, such as clinic/2026-11");
}

void check_block_name(const std::string& name) {
  if (prepare_file::is_name_part(name)) return;
  throw InvalidArgument("blocks", '"' + name.substr(0, 100) + '"',
                        "names of 1 to 64 letters, digits, dots, hyphens and underscores, such as 2026-11");
}

Scope& Book::scope(const std::string& name) {
  check_scope_name(name);
  const auto found = scopes_.find(name);
  if (found != scopes_.end()) return *found->second;
  std::vector<std::string_view> names;
  for (const auto& [known, scope] : scopes_) names.push_back(known);
  throw InvalidArgument("scope", '"' + name + '"' + names::did_you_mean(name, names),
                        scopes_.empty()    ? "the name of a scope; this ledger has none yet"
                        : names.size() < 9 ? fmt::format("one of {}", fmt::join(names, ", "))
                                           : "the name of a scope, see `renyi ledger show`");
}

Scope& Book::parent_of(const std::string& name) {
  check_scope_name(name);
  const std::string parent = parent_name(name);
  const auto found = scopes_.find(parent);
  if (found != scopes_.end()) return *found->second;
  throw InvalidArgument("scope", '"' + name + '"',
                        fmt::format("a scope whose parent exists: make \"{}\" first", parent));
}

void Book::check_relation(const std::string& name, const Adjacency& relation) {
  const Adjacency& own = *scope(name).settings.relation;
  if (relation == own) return;
  throw InvalidArgument(
      "steps", fmt::format("{} with unit {}", to_string(relation.neighbors), relation.unit),
      fmt::format("the relation and unit of \"{}\": {}, {}", name, to_string(own.neighbors), own.unit));
}

std::vector<Scope*> Book::chain_of(const std::string& name) {
  std::vector<Scope*> chain{&scope(name)};
  for (std::string up = parent_name(name); !up.empty(); up = parent_name(up)) {
    chain.push_back(&scope(up));
  }
  return chain;
}

void Book::check_new_scope(const Request& request) {
  check_scope_name(request.scope);
  if (scopes_.contains(request.scope)) {
    throw InvalidArgument(
        "scope", '"' + request.scope + '"',
        "a name that is not taken; there is such a scope, whose budget can be lowered, or raised up to its cap");
  }
  const std::string parent = parent_name(request.scope);
  if (!parent.empty()) {
    const Scope& within = parent_of(request.scope);
    if (*request.settings.relation != *within.settings.relation) {
      throw InvalidArgument(
          "scope",
          fmt::format("{} with unit {}", to_string(request.settings.relation->neighbors),
                      request.settings.relation->unit),
          fmt::format("the relation and unit of \"{}\": {}, {}", parent, to_string(within.settings.relation->neighbors),
                      within.settings.relation->unit));
    }
    if (const Scope* divided = within.divided_by(); divided != nullptr && request.settings.blocks) {
      throw InvalidArgument("block_rule", "a rule of its own",
                            fmt::format("that of \"{}\", which lies above", divided->name));
    }
  }
  // A filter checks its budget and its cap.
  [[maybe_unused]] const Filter checked(request.settings.budget, *request.settings.relation, request.settings.cap);
  if (request.settings.blocks && request.settings.blocks->rule.empty()) {
    throw InvalidArgument("block_rule.rule", "\"\"", "the rule in words, such as \"the month of the visit\"");
  }
  if (!request.blocks.empty() && !request.settings.blocks) {
    throw InvalidArgument("blocks", "blocks without a rule", "blocks of a scope that has a block_rule");
  }
  for (const std::string& block : request.blocks) check_block_name(block);
}

void Book::check_new_blocks(const Request& request) {
  const Scope& at = scope(request.scope);
  if (!at.settings.blocks) {
    const Scope* divided = at.divided_by();
    throw InvalidArgument("scope", '"' + request.scope + '"',
                          divided == nullptr ? "a scope that was made with a rule for blocks"
                                             : fmt::format("\"{}\", which has the rule for blocks", divided->name));
  }
  if (request.blocks.empty()) throw InvalidArgument("blocks", "none", "at least one");
  for (std::size_t i = 0; i < request.blocks.size(); ++i) {
    const std::string& block = request.blocks[i];
    check_block_name(block);
    const auto until = request.blocks.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(at.blocks.begin(), at.blocks.end(), block) != at.blocks.end() ||
        std::find(request.blocks.begin(), until, block) != until) {
      throw InvalidArgument("blocks", block, "blocks that were not declared before");
    }
  }
}

void Book::check_blocks(Prepared& prepared, const Request& request) {
  const Scope* divided = prepared.chain.front()->divided_by();
  if (!request.blocks.empty() && divided == nullptr) {
    throw InvalidArgument("blocks", fmt::format("{}", fmt::join(request.blocks, ", ")),
                          "none: neither the scope nor one above has a rule for blocks");
  }
  for (const std::string& block : request.blocks) {
    if (std::find(divided->blocks.begin(), divided->blocks.end(), block) == divided->blocks.end()) {
      throw InvalidArgument("blocks", '"' + block + '"',
                            divided->blocks.empty() ? fmt::format("declared blocks; \"{}\" has none yet", divided->name)
                                                    : fmt::format("the blocks of \"{}\": {}", divided->name,
                                                                  fmt::join(divided->blocks, ", ")));
    }
    if (std::find(prepared.blocks.begin(), prepared.blocks.end(), block) == prepared.blocks.end()) {
      prepared.blocks.push_back(block);
    }
  }
}

// The steps of a replay are priced here.
void Book::prepare_steps(Prepared& prepared, const Request& request, const Prices& known) {
  prepared.chain = chain_of(request.scope);
  if (request.count < 1) throw InvalidArgument("count", fmt::to_string(request.count), "1 to 2^63-1");
  prepared.count = request.count;
  const auto leave_unpriced = [&] {
    known.check();
    prepared.missing.push_back(terms_of(request.scope));
    prepared.missing.back().charge = request.steps;
  };
  const bool is_replay = view_ == nullptr;
  const Adjacency& relation = *prepared.chain.front()->settings.relation;
  prepared.steps = is_replay ? prices_->steps(request.steps, relation) : known.find_steps(request.steps, relation);
  if (!prepared.steps) return leave_unpriced();
  if (prepared.steps->empty()) throw InvalidArgument("steps", "no steps", "at least one");
  for (const ChargedStep& step : *prepared.steps) {
    std::int64_t runs = 0;
    if (__builtin_mul_overflow(step.count, request.count, &runs)) {
      throw InvalidArgument("count", fmt::to_string(request.count), "at most 2^63-1 runs of each step");
    }
  }
  check_blocks(prepared, request);
  for (const Scope* level : prepared.chain) {
    const PriceTerms& terms = *level->account->terms();
    std::vector<Cost>& costs = prepared.costs.emplace_back();
    for (const ChargedStep& step : *prepared.steps) {
      costs.push_back(is_replay ? prices_->cost(terms, step.text) : known.find(terms, step.text));
      if (!costs.back()) return leave_unpriced();
    }
  }
}

// What a ticket reserves, and the costs of all that it was added to.
void Book::prepare_to_give_back(Prepared& prepared, const Request& reserved, const Prices& given) {
  prepare_steps(prepared, reserved, given);
  for (std::size_t level = 0; prepared.missing.empty() && level < prepared.chain.size(); ++level) {
    Scope& at = *prepared.chain[level];
    const auto& terms = at.account->terms();
    const auto known = [&](const std::string& step) {
      return view_ == nullptr ? prices_->cost(*terms, step) : given.find(*terms, step);
    };
    auto kinds = loaded(at).prepare_to_subtract(share_of(prepared, level), stored_steps(at), known);
    if (kinds.empty()) continue;
    given.check();
    prepared.missing.push_back({.scopes = {at.name}, .terms = {terms}, .kinds = std::move(kinds)});
  }
}

std::optional<TicketRow> Book::ticket(std::int64_t number) {
  if (const auto found = tickets_.find(number); found != tickets_.end()) return found->second;
  if (view_ == nullptr) return {};
  return view_->ticket(number);
}

Prepared Book::prepare(const Request& request, const Prices& known) {
  Prepared prepared;
  switch (request.verb) {
    case Verb::init:
      // Another process may have made one at this place meanwhile.
      if (view_ != nullptr && end_.entry >= 0) {
        throw InvalidArgument("ledger", "a ledger that has entries", "a place that is not taken");
      }
      break;
    case Verb::import:
    case Verb::token: break;
    case Verb::scope: check_new_scope(request); break;
    case Verb::blocks: check_new_blocks(request); break;
    case Verb::lower:
    case Verb::raise: check_budget_change(scope(request.scope).settings, request); break;
    case Verb::reserve:
    case Verb::charge: prepare_steps(prepared, request, known); break;
    case Verb::open:
    case Verb::commit:
    case Verb::cancel:
    case Verb::expire: {
      prepared.ticket = ticket(request.ticket);
      if (!prepared.ticket) {
        throw InvalidArgument("ticket", fmt::to_string(request.ticket), "the number of a ticket that was reserved");
      }
      const bool may_go_back = request.verb == Verb::cancel || request.verb == Verb::expire;
      if (prepared.ticket->state != TicketState::reserved || !may_go_back) break;
      if (view_ == nullptr) {
        prepare_to_give_back(prepared, reservations_.at(request.ticket), known);
        break;
      }
      const auto row = view_->entry(request.ticket);
      if (!row)
        throw StoreFailure(StoreFault::corrupt, "a reservation is missing from the log", "run `renyi ledger verify`");
      prepare_to_give_back(prepared, read_stored_entry(row->text).request, known);
      break;
    }
  }
  return prepared;
}

}  // namespace renyi::ledger
