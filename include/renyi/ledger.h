// The ledger: privacy budgets that outlive the process, in a file or a database. A charge is on the disk before it is
// acknowledged, every change is an entry of a log that shows tampering, and balances can be computed from the log alone
// (docs/guide/ledger.md, docs/format/ledger.md).
//
//     renyi::Ledger ledger = renyi::Ledger::create("clinic.ledger");
//     ledger.add_scope("clinic", {.budget = renyi::Budget::zcdp(0.5)});
//     const renyi::Receipt paid = ledger.charge({.scope = "clinic", .steps = steps});
//     if (paid.accepted) release_something();
//
// A charge that reads data later is paid in three steps: `reserve`, then `open` before data or noise is touched, then
// `commit`. What was opened stays spent.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/filter.h"
#include "renyi/plan.h"

namespace renyi {

// ---- Scopes.

// How a dataset is divided into blocks, for example months. All of it is public. Under zero-out, a unit that is emptied
// stays in its block.
struct BlockRule {
  std::string rule{};  // in words: "the month of the visit"
  // The rule puts each unit of privacy into one block (the unit is then, for example, a person-month). If not, charges
  // on different blocks add up.
  bool unit_in_one_block = false;
  // A unit that is replaced stays in its block. Only replace-one asks for it.
  bool block_is_fixed = false;
  bool operator==(const BlockRule&) const = default;
};

// A scope: a budget for everything that is charged to it and to the scopes within it.
struct ScopeSettings {
  Budget budget{};
  // The largest budget that may be set later; without it, the budget can only be lowered.
  std::optional<Budget> cap{};
  // That of the parent unless it is set; a scope without parent has add-or-remove-one, unit 1. A child with another
  // relation or unit than its parent is refused.
  std::optional<Adjacency> relation{};
  // False: the analysts behind the scopes directly within this one share no answers, so that the largest of their
  // totals counts. Every statement then says "per analyst; void if answers are shared".
  bool analysts_may_collude = true;
  bool may_cancel = true;  // reservations in this scope, and in those within it, may be cancelled
  std::optional<BlockRule> blocks{};
  std::vector<std::string> first_blocks{};  // declared with the scope; `add_blocks` declares more
};

// A scope and what is left of it.
struct ScopeState {
  std::string name{};  // "clinic/2026-11": the parent is "clinic"
  ScopeSettings settings{};
  Adjacency relation{};
  std::vector<std::string> blocks{};  // declared so far
  // For a scope with blocks or without collusion: the largest balances over blocks and analysts.
  std::vector<Balance> balances{};
  bool blocks_add_up = false;  // charges on different blocks do, if there are any; else the largest block counts
  std::int64_t charges = 0;    // that count, reservations included
  std::int64_t reserved = 0;   // tickets that are reserved and not opened
  std::string note{};          // what the guarantee depends on; empty if on nothing
};

// What is left of one block, where blocks do not add up.
struct BlockBalances {
  std::string block{};
  std::vector<Balance> balances{};
};

// ---- Charges and tickets.

// Steps that are to be paid for.
struct ChargeRequest {
  std::string scope{};
  Plan steps{};  // under the relation of the scope
  std::int64_t count = 1;
  std::vector<std::string> blocks{};  // what is read; empty: everything
};

// Part of every call that writes.
struct CallInfo {
  // The same key with the same content gives the stored answer again; with another content it is a conflict
  // (InvalidArgument). Without a key, a random one is made.
  std::string key{};
  std::string person{};
  std::string comment{};
  // Whose key it is, where several share a ledger: keys of one lineage never meet those of another, nor one scope's
  // those of another scope. 8 to 64 hexadecimal digits; empty: the key is one of the whole ledger.
  std::string lineage{};
};

enum class TicketState { reserved, opened, committed, cancelled, expired };
// Returns "reserved", "opened", "committed", "cancelled" or "expired".
[[nodiscard]] std::string_view to_string(TicketState state) noexcept;

// What is left of one scope for a charge.
struct ScopeBalances {
  std::string scope{};
  std::vector<Balance> balances{};
  std::vector<double> costs{};  // what the charge alone costs, beside each balance; empty in refusals that are recorded
};

// ---- Tokens.

// A token of a server, as the log says that it was made or revoked. Nobody can call with what is recorded.
struct TokenRecord {
  std::string id{};      // public
  std::string holder{};  // the name that entries of its calls have as their person
  std::string role{};
  std::vector<std::string> scopes{};
  std::string expires{};  // UTC; empty: never
  std::string lineage{};  // whose keys its calls have (CallInfo), if it replaces another token; empty: that of its id
};
enum class TokenEvent { made, revoked };
// Returns "made" or "revoked".
[[nodiscard]] std::string_view to_string(TokenEvent event) noexcept;

// The answer of every call that writes: the entry of the log that records it.
struct Receipt {
  std::int64_t entry = 0;
  std::string hash{};  // SHA-256 of the entry
  std::string time{};  // UTC, "2026-11-17T12:00:00.000Z"
  std::string verb{};  // "charge", "reserve", ...
  std::string scope{};
  std::string key{};
  std::string person{};
  std::string comment{};
  std::vector<std::string> blocks{};
  bool accepted = true;   // false: a refusal, which is recorded and changes nothing
  bool repeated = false;  // the answer to the same call before
  // Tickets: that of `reserve` is the number of its entry. A charge is a ticket that is committed at once.
  std::int64_t ticket = 0;
  std::optional<TicketState> state{};
  std::string secret{};   // a reservation is opened with it
  std::string expires{};  // when a reservation goes back that was not opened
  std::string note{};     // what the guarantee depends on; empty if on nothing
  std::string reason{};   // why it was refused, or why a budget was raised; of a token, what became of it
  // Refusals.
  std::string refused_by{};  // the scope that refused
  std::vector<ScopeBalances> left{};
  std::optional<std::int64_t> fitting_count{};  // how many such steps would have been accepted
  std::optional<FittingStep> fitting_step{};    // the change with which one step would have been accepted
};

// What a committed ticket has published.
struct Output {
  std::string bytes{};   // stored, so that a retried release can return them; may be empty
  std::string sha256{};  // that of the bytes; may be given without them
};

// ---- The log.

struct LedgerHead {
  std::string ledger{};  // the id of the ledger
  std::int64_t entry = 0;
  std::string hash{};
  bool operator==(const LedgerHead&) const = default;
};

struct LedgerEntry {
  std::int64_t entry = 0;
  std::string hash{};
  std::string text{};  // canonical JSON (docs/format/ledger.md)
};

// What a history is of: all entries; those that reserved a ticket that is still reserved when the question is asked; or
// those that committed a ticket with an output, whose SHA-256 they record.
enum class HistoryOf { log, pending, releases };

// Which entries `history` returns. Times are in UTC, and may be beginnings of times: "2026-11", "2026-11-17T12:00".
struct HistoryFilter {
  std::string scope{};  // and everything within it
  std::string person{};
  std::string since{};
  std::string until{};  // exclusive
  std::int64_t after = -1;
  std::int64_t most = 0;     // only the first so many; 0: all
  std::int64_t before = -1;  // entries with smaller numbers; -1: all
  std::int64_t last = 0;     // only the last so many, in the order of their numbers; 0: all. Not together with `most`
  HistoryOf of = HistoryOf::log;
};

struct LedgerVerification {
  bool valid = true;
  std::int64_t entries = 0;
  std::int64_t wrong_entry = -1;  // the first wrong one; -1 if the fault is in no entry
  std::string fault{};
  std::vector<std::string> notes{};  // such as times that run backwards
  LedgerHead head{};
  // The last entry that the witness has seen, which is in the log; none if there is no witness.
  std::optional<std::int64_t> witnessed{};
  // The entry up to which nothing was read again, since this object had verified it before.
  std::optional<std::int64_t> resumed_after{};
};

// Where a verification begins: at the first entry, or after the last one that the same object has verified. What is
// changed in a part that was verified before is found from the beginning only.
enum class VerifyFrom { beginning, last_verified };

// The store had tables of an older version, which this version has brought up.
struct LedgerUpgrade {
  int from = 0;
  int to = 0;
  std::string backup{};  // the file as it was before; empty in PostgreSQL
};

// How a scope was spent: its balances after the last entry of a day, an hour or a moment.
enum class BurnDownBy { entry, hour, day };
struct BurnDownPoint {
  std::string time{};           // that of the last entry that counts
  std::int64_t entry = 0;       // its number
  std::int64_t charges = 0;     // that count then, reservations included
  bool budget_changed = false;  // the budget was set, lowered or raised since the point before
  std::vector<Balance> balances{};
};

// What one object has done and waited for since it was made, for those who watch a program.
struct LedgerStatistics {
  std::int64_t newest_entry = -1;     // that this object has written, or `head` has returned
  std::int64_t lock_waits = 0;        // calls that waited for their turn to write or to ask
  double lock_wait_seconds = 0;       // in all
  std::int64_t synchronisations = 0;  // waits until what was written is on the disk
  double synchronisation_seconds = 0;
};

struct LedgerOptions {
  // A second file or database that gets the number and the hash of each entry before it is acknowledged. Given once, at
  // creation; afterwards only to say where it is now.
  std::string witness{};
  std::chrono::milliseconds patience{10'000};  // how long to wait for other writers
};

// A ledger in a SQLite file (a path) or in PostgreSQL ("postgresql://..."). One object may be used by several threads,
// which then share the writing to the disk. Every function throws StoreFailure if the store fails: nothing is lost
// then, and a call may be repeated with its key.
class Ledger {
 public:
  // Makes a new ledger. Throws InvalidArgument if there is one at this place.
  static Ledger create(const std::string& location, const LedgerOptions& options = {});
  explicit Ledger(const std::string& location, const LedgerOptions& options = {});
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  // Scopes. Budgets are lowered freely; `raise_budget` is for those who may, needs a reason, and ends at the cap:
  // it must not be within the present budget.
  Receipt add_scope(const std::string& name, const ScopeSettings& settings, const CallInfo& call = {});
  Receipt add_blocks(const std::string& scope, const std::vector<std::string>& blocks, const CallInfo& call = {});
  Receipt lower_budget(const std::string& scope, const Budget& budget, const CallInfo& call = {});
  Receipt raise_budget(const std::string& scope, const Budget& budget, const std::string& reason,
                       const CallInfo& call = {});

  // Charges. What does not fit the scope and all that it lies in is refused (Receipt::accepted). Steps are priced, and
  // what the running sums do not decide is computed, before others are kept waiting: limits of the calling thread
  // (renyi/limits.h) apply to that, and throw LimitReached before anything is recorded. Throws StoreFailure of the
  // fault `busy` if other charges change the scope again and again meanwhile.
  Receipt charge(const ChargeRequest& request, const CallInfo& call = {});
  struct Charge {
    ChargeRequest request{};
    CallInfo call{};
  };
  // The same for many, each with its own entry, in one write to the disk. One that cannot be decided (bad input)
  // throws, and none is recorded.
  std::vector<Receipt> charge_all(const std::vector<Charge>& charges);
  Receipt reserve(const ChargeRequest& request, std::chrono::seconds expires_in, const CallInfo& call = {});
  // Succeeds once: touch data and noise only after it has, and not if the receipt is `repeated`.
  Receipt open(std::int64_t ticket, const std::string& secret, const CallInfo& call = {});
  Receipt commit(std::int64_t ticket, const Output& output = {}, const CallInfo& call = {});
  Receipt cancel(std::int64_t ticket, const CallInfo& call = {});

  // Records who made or revoked a token of a server: the person of the call.
  Receipt record_token(TokenEvent event, const TokenRecord& token, const CallInfo& call = {});

  // Questions.
  [[nodiscard]] Receipt may_run(const ChargeRequest& request) const;  // as `charge`, but nothing is recorded
  [[nodiscard]] std::vector<ScopeState> scopes() const;
  [[nodiscard]] ScopeState scope(const std::string& name) const;
  // Returns the relation and the unit of a scope, which never change: unlike the state, at once.
  [[nodiscard]] Adjacency relation(const std::string& scope) const;
  // Returns what is left of each block of a scope; nothing where charges on different blocks add up.
  [[nodiscard]] std::vector<BlockBalances> blocks(const std::string& scope) const;
  // Returns what the charge alone costs, and what is left for it now, in its scope and in all above.
  [[nodiscard]] std::vector<ScopeBalances> balances(const ChargeRequest& request) const;
  // Returns how the scope was spent, from the log alone. The time grows with the entries of the scope, and of those
  // within it.
  [[nodiscard]] std::vector<BurnDownPoint> burn_down(const std::string& scope, BurnDownBy by = BurnDownBy::day) const;
  // Returns what one ticket is now.
  [[nodiscard]] Receipt ticket(std::int64_t ticket) const;
  // Returns the stored answer to the call with this key, if there was one.
  [[nodiscard]] std::optional<Receipt> answer_to(const std::string& key) const;
  // Returns the stored bytes of a committed ticket.
  [[nodiscard]] std::optional<Output> output(std::int64_t ticket) const;

  // The log.
  [[nodiscard]] LedgerHead head() const;
  [[nodiscard]] bool has_witness() const;
  // Waits for nothing.
  [[nodiscard]] LedgerStatistics statistics() const noexcept;
  // Returns what this object has done to the store's tables when it was made; nothing if they were up to date.
  [[nodiscard]] const std::optional<LedgerUpgrade>& upgrade() const;
  // Visits entries in the order of their numbers, up to the last one at the time of the call. Throws InvalidArgument
  // for a scope that does not exist, or for what is no time.
  void history(const HistoryFilter& filter, const std::function<void(const LedgerEntry&)>& visit) const;
  // Replays the log with the filters. With a head that was kept elsewhere, nothing up to it may be missing or changed.
  // Nobody waits for it: it reads page by page.
  [[nodiscard]] LedgerVerification verify(const std::optional<LedgerHead>& kept = {},
                                          VerifyFrom from = VerifyFrom::beginning) const;

 private:
  class Implementation;
  explicit Ledger(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

// Returns what an entry records, as the receipt of its call.
[[nodiscard]] Receipt receipt_of(const LedgerEntry& entry);

// Visits the entries of a ledger wherever it lies: also of a copy, or of one behind its witness, which `Ledger`
// refuses, so that they can be verified and imported.
void read_log(const std::string& location, const std::function<void(const LedgerEntry&)>& visit,
              const LedgerOptions& options = {});

// Makes a new ledger of the log of another one: it continues the log with an entry that names the new id, and the id
// and the head of the predecessor. The log is verified first. `lines` are the entries, one text per line, as
// `renyi ledger export` writes them.
Ledger import_ledger(const std::string& lines, const std::string& location, const LedgerOptions& options = {});

// Verifies the lines of an export without a store.
[[nodiscard]] LedgerVerification verify_log(const std::string& lines, const std::optional<LedgerHead>& kept = {});

// Heads that are signed by Ed25519, so that a copy of one can be trusted. Keys are PEM texts.
[[nodiscard]] std::string sign_head(const LedgerHead& head, std::string_view private_key);  // in hexadecimal digits
[[nodiscard]] bool is_signed(const LedgerHead& head, std::string_view signature, std::string_view public_key);

}  // namespace renyi
