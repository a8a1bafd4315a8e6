// What a ledger asks of a store: an append-only log, rows that are derived from it, one writer at a time, and one
// synchronisation for all writers that wait for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "renyi/ledger.h"

namespace renyi::ledger {

// An entry with the columns by which it is found.
struct EntryRow {
  std::int64_t entry = 0;
  std::string hash{};
  std::string text{};
  std::string key{};  // unique, unless it is empty
  std::string scope{};
  std::string person{};
  std::string time{};
};

struct ScopeRow {
  std::string name{};
  std::int64_t entry = 0;  // the last change
  std::string text{};      // settings as they are now, as JSON
};

// The running sums of one cell of a scope (rules/account.h): bytes that only the rules read.
struct CellRow {
  std::string scope{};
  std::string cell{};
  std::string sums{};
};

// How often a step counts in one cell.
struct StepRow {
  std::string scope{};
  std::string cell{};
  std::string step{};      // a step of a plan, as JSON
  std::int64_t count = 0;  // in changes: what is added to the stored count; a row whose count becomes 0 is removed
};

// How many rows there are in all.
struct RowCounts {
  std::int64_t entries = 0;
  std::int64_t cells = 0;
  std::int64_t steps = 0;
  std::int64_t outputs = 0;
};

struct TicketRow {
  std::int64_t ticket = 0;  // the entry that reserved it
  TicketState state = TicketState::reserved;
  std::int64_t entry = 0;  // the last change
  std::string scope{};
  std::string expires{};
  std::string secret{};  // empty once the ticket is no longer reserved
};

// The rows that one transaction changed.
struct Changes {
  std::vector<EntryRow> entries{};
  std::vector<ScopeRow> scopes{};
  std::vector<CellRow> cells{};
  std::vector<StepRow> steps{};
  std::vector<TicketRow> tickets{};
  std::vector<std::pair<std::int64_t, std::string>> outputs{};  // ticket, bytes
  std::vector<std::pair<std::string, std::string>> facts{};     // name, value: of a new ledger
};

// The head of a log that has no entry yet has entry -1 and no hash. The id of the ledger is not known to the store.
struct LogEnd {
  std::int64_t entry = -1;
  std::string hash{};
  std::string time{};
};

// Reads, all of one state of the ledger.
class View {
 public:
  virtual ~View() = default;
  virtual LogEnd end() = 0;
  virtual std::optional<EntryRow> entry(std::int64_t number) = 0;
  virtual std::optional<EntryRow> entry_by_key(const std::string& key) = 0;
  // Says which keys will be asked for, so that a store that is far away looks for all of them at once.
  virtual void expect_keys(const std::vector<std::string>& /*keys*/) {}
  // Visits entries from `from` on, in order, until `visit` returns false. Memory is bounded.
  virtual void entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) = 0;
  // Visits the entries that a history asks for, in order. `last` is ignored; `before_last` says where those begin.
  virtual void history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) = 0;
  // After which entry the last `last` entries of a history follow.
  virtual std::int64_t before_last(const HistoryFilter& filter) = 0;
  // The entry of the last change of any scope; -1 if there is none.
  virtual std::int64_t scopes_changed() = 0;
  virtual std::vector<ScopeRow> scopes() = 0;  // by name
  virtual std::vector<CellRow> cells(const std::string& scope) = 0;
  virtual std::vector<StepRow> steps(const std::string& scope, const std::string& cell) = 0;
  virtual std::optional<TicketRow> ticket(std::int64_t ticket) = 0;
  // Tickets in the state reserved that expire before or at `time`, at most `most`.
  virtual std::vector<TicketRow> overdue(const std::string& time, std::int64_t most) = 0;
  virtual void tickets(const std::function<void(const TicketRow&)>& visit) = 0;  // all, by number
  virtual std::optional<std::string> output(std::int64_t ticket) = 0;
  // What the store itself finds wrong, such as an index that does not fit its table; empty if it finds nothing, or does
  // not look.
  virtual std::string damage() { return {}; }
  virtual RowCounts row_counts() = 0;
  // Facts beside the log: "ledger" (its id), "witness" (where it is), "place" (which file or database this is); empty
  // if there is none.
  virtual std::string fact(const std::string& name) = 0;
};

// Whether tables that somebody has changed are refused, or read to save what is in them.
enum class Tables { checked, as_they_are };

class Store {
 public:
  virtual ~Store() = default;

  // Runs `decide` as the only writer and makes its changes one transaction. They are visible to others when it
  // returns, and may be lost in a crash until make_durable has returned. A transaction that the store asks to repeat
  // (serialization failures) runs again; `decide` must not depend on having run before. If anything throws, nothing
  // has changed, with one exception: a StoreFailure of fault `unknown` means that the connection was lost while the
  // transaction ended, and only a later look-up by key tells whether it did.
  virtual void write(const std::function<Changes(View&)>& decide) = 0;
  // Returns when everything that this object has written is on the disk. Writers share synchronisations.
  virtual void make_durable() = 0;
  virtual void read(const std::function<void(View&)>& ask) = 0;
  // Brings tables of an older version up to those of this program, in one transaction, if this process may write. A
  // file is copied before.
  virtual std::optional<LedgerUpgrade> upgrade() = 0;
  // Which file or database this is, so that copies are noticed.
  virtual std::string place() = 0;
};

// Makes a new, empty store, or opens one that exists. `location` is a path or a PostgreSQL URI. Throws InvalidArgument
// (something is there already; nothing is there) or StoreFailure. Secrets in locations are not repeated in errors.
std::unique_ptr<Store> create_store(const std::string& location, std::chrono::milliseconds patience);
std::unique_ptr<Store> open_store(const std::string& location, std::chrono::milliseconds patience,
                                  Tables tables = Tables::checked);

}  // namespace renyi::ledger
