// The state that the log implies: scopes, accounts and tickets. The same rules decide what is new and replay what is
// recorded.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ledger/log/entry.h"
#include "ledger/rules/account.h"
#include "ledger/rules/prices.h"
#include "ledger/rules/standing.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// A scope with its account.
struct Scope {
  std::string name{};
  ScopeSettings settings{};  // with the relation, the cap, and the budget as it is now
  std::vector<std::string> blocks{};
  std::int64_t entry = 0;  // the last change
  const Scope* parent = nullptr;
  std::unique_ptr<Account> account{};
  bool is_loaded = false;
  // The last entry, as far as this process knows, with which the account or its budget changed, and the last one with
  // which more may fit: something was given back, or the budget was raised.
  std::int64_t changed = 0;
  std::int64_t eased = 0;

  // The scope, itself or above, whose rule divides the data into blocks; nullptr if there is none.
  const Scope* divided_by() const;
  // What the guarantees of this scope depend on; empty if on nothing.
  std::string note() const;
};

// What a request refers to, found and priced, so that deciding about it cannot fail.
struct Prepared {
  std::vector<Scope*> chain{};  // the scope, its parent, ..., the outermost
  std::shared_ptr<const ChargedSteps> steps{};
  std::vector<std::vector<Cost>> costs{};  // for each scope of the chain
  std::vector<Unpriced> missing{};         // if there is anything, the rest is not complete
  std::vector<std::string> blocks{};
  std::int64_t count = 1;
  std::optional<TicketRow> ticket{};
};

// A decision about a charge that sums alone do not make, computed for a head of the log while others write.
struct Candidate {
  LogEnd head{};
  Outcome outcome{};
};

class Book {
 public:
  // Without a store, everything is in memory, as for a replay, and prices are computed when they are needed. With one,
  // others wait for this book, and everything has to be priced before.
  explicit Book(std::shared_ptr<PriceList> prices) : prices_(std::move(prices)) {}

  // Takes what is stored now. Has to be called at the beginning of each transaction; the view is used until `leave`.
  void enter(View& view);
  void leave() noexcept { view_ = nullptr; }
  // Forgets all that was read, because a transaction failed.
  void invalidate() noexcept;

  const std::string& ledger_id() const noexcept { return ledger_; }

  // Throws InvalidArgument unless the relation is that of the scope: steps of another one would be priced as what they
  // are not.
  void check_relation(const std::string& scope, const Adjacency& relation);
  // Throws InvalidArgument or Unsupported if the request is not one that can be decided.
  Prepared prepare(const Request& request, const Prices& known);
  // Decides at a time; nothing changes. `secret` is what the caller of `open` presents. Returns nothing for a charge
  // that needs a candidate, or another one because the accounts have changed.
  std::optional<Outcome> decide(const Request& request, const Prepared& prepared, const std::string& time,
                                const std::string& secret, const std::optional<Candidate>& candidate = {});
  // Makes the changes of an accepted request that is recorded in this entry. `secret` is that of a new reservation.
  void apply(const Entry& entry, const Prepared& prepared, const std::string& hash, const std::string& secret);
  // Checks a recorded entry and makes its changes. Throws InvalidArgument if the rules do not allow it.
  void replay(const Entry& entry, const std::string& hash);

  // What has to be stored; the counts of steps are to be added to those stored. After a replay it is everything.
  Changes changes() const;
  // The same, which counts as stored from then on.
  Changes take_changes();

  // Questions.
  std::vector<const Scope*> scopes() const;
  Scope& scope(const std::string& name);
  // The scope that lies directly above a new one. Throws InvalidArgument if there is none.
  Scope& parent_of(const std::string& name);
  // The terms of a scope and of all above, for pricing.
  Unpriced terms_of(const std::string& scope);
  // All but the balances, which follow from the standing.
  ScopeState state_of(Scope& scope);
  Standing standing(Scope& scope);
  // How the scopes of a charge stand for it: of other analysts, where they do not collude, it says nothing.
  std::vector<Standing> standings(const Prepared& prepared);
  // For each scope of a charge, the steps beside it, for questions about what fits.
  std::vector<StepCounts> steps_beside(const Prepared& prepared);
  // The blocks, and how each of them stands; nothing where charges on different blocks add up.
  std::vector<std::pair<std::string, Standing>> block_standings(Scope& scope);
  std::optional<TicketRow> ticket(std::int64_t number);
  // In a replay: the SHA-256 of the secrets of tickets that are reserved.
  const std::map<std::int64_t, std::string>& secret_digests() const noexcept { return secret_digests_; }
  LogEnd as_of() const { return end_; }

 private:
  Scope& make_scope(const Request& request, std::int64_t entry);
  void load_scopes();
  Account& loaded(Scope& scope);
  Account& account(Scope& scope);  // without what is still to be given back
  Account::StepsOf stored_steps(const Scope& scope) const;
  void take_entries_of_others(View& view, const LogEnd& before);
  void forget_account(const std::string& scope, std::int64_t entry, bool is_easing);
  void prepare_steps(Prepared& prepared, const Request& request, const Prices& known);
  void check_blocks(Prepared& prepared, const Request& request);
  void prepare_to_give_back(Prepared& prepared, const Request& reserved, const Prices& known);
  void check_new_scope(const Request& request);
  void check_new_blocks(const Request& request);
  std::vector<Scope*> chain_of(const std::string& name);
  Share share_of(const Prepared& prepared, std::size_t level) const;
  std::optional<Outcome> decide_charge(const Prepared& prepared, const std::optional<Candidate>& candidate);
  bool holds(const Candidate& candidate, const Prepared& prepared) const;
  Outcome decide_ticket(const Request& request, const Prepared& prepared, const std::string& time,
                        const std::string& secret);
  struct Refusal {
    std::string scope{};
    std::string reason{};
  };
  std::optional<Refusal> refusal_of(const Prepared& prepared, double slack);
  void set_ticket(TicketRow row);

  View* view_ = nullptr;
  LogEnd end_{};
  std::int64_t scopes_as_of_ = -2;
  std::string ledger_{};
  std::map<std::string, std::unique_ptr<Scope>> scopes_{};
  std::map<std::int64_t, TicketRow> tickets_{};           // those of this transaction; all of them in a replay
  std::map<std::int64_t, Request> reservations_{};        // in a replay: what unopened tickets reserve
  std::map<std::int64_t, std::string> secret_digests_{};  // the same, their secrets
  std::vector<std::string> changed_scopes_{};
  std::vector<std::int64_t> changed_tickets_{};
  std::shared_ptr<PriceList> prices_;
};

// Returns the cells into which the account of a scope is divided.
Division division_of(const Scope& scope);
// Returns the scope directly within `ancestor` through which a charge to `name` came: "clinic/oncology/ana" within
// "clinic" came through "oncology".
std::string child_within(const std::string& name, const std::string& ancestor);

// Returns the name of the scope directly above; empty if there is none.
std::string parent_name(const std::string& name);

// Throws InvalidArgument unless the text is a name of scopes: parts of letters, digits, dots, hyphens and underscores,
// divided by slashes.
void check_scope_name(const std::string& name);
void check_block_name(const std::string& name);

}  // namespace renyi::ledger
