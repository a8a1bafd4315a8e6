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
#include "ledger/rules/steps.h"
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

  // The scope, itself or above, whose rule divides the data into blocks; nullptr if there is none.
  const Scope* divided_by() const;
  // What the guarantees of this scope depend on; empty if on nothing.
  std::string note() const;
};

// What a request refers to, found and priced, so that deciding about it cannot fail.
struct Prepared {
  std::vector<Scope*> chain{};  // the scope, its parent, ..., the outermost
  std::shared_ptr<const PricedSteps> steps{};
  std::vector<std::string> blocks{};
  std::int64_t count = 1;
  std::optional<TicketRow> ticket{};
};

// What a question about fitting steps is asked of.
struct Room {
  Budget budget{};
  Budget cap{};
  Adjacency relation{};
  Plan history{};
};

class Book {
 public:
  // Without a store, everything is in memory, as for a replay.
  Book() = default;

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
  Prepared prepare(const Request& request);
  // Decides at a time; nothing changes. `secret` is what the caller of `open` presents.
  Outcome decide(const Request& request, const Prepared& prepared, const std::string& time, const std::string& secret);
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
  ScopeState state_of(Scope& scope);
  // What is left for this charge: of other analysts, where they do not collude, it says nothing.
  std::vector<ScopeBalances> balances(const Prepared& prepared);
  // The same, with what the charge alone costs.
  std::vector<ScopeBalances> quotes(const Prepared& prepared);
  // What is left of each block; nothing where charges on different blocks add up.
  std::vector<BlockBalances> block_balances(Scope& scope);
  std::vector<Room> rooms(const Prepared& prepared);
  std::optional<TicketRow> ticket(std::int64_t number);
  // In a replay: the SHA-256 of the secrets of tickets that are reserved.
  const std::map<std::int64_t, std::string>& secret_digests() const noexcept { return secret_digests_; }
  LogEnd as_of() const { return end_; }

 private:
  Scope& make_scope(const Request& request, std::int64_t entry);
  void load_scopes();
  Account& account(Scope& scope);
  Account::StepsOf stored_steps(const Scope& scope) const;
  void prepare_steps(Prepared& prepared, const Request& request);
  void check_new_scope(const Request& request);
  void check_new_blocks(const Request& request);
  std::vector<Scope*> chain_of(const std::string& name);
  Share share_of(const Prepared& prepared, std::size_t level) const;
  Outcome decide_charge(const Prepared& prepared);
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
  StepReader reader_{};
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
