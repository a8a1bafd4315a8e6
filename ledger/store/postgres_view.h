// Reads of a ledger in PostgreSQL, within one transaction.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/store/libpq.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// The questions of a view, for one schema.
struct PostgresQuestions {
  explicit PostgresQuestions(const std::string& schema);
  PostgresStatement end;  // the last entry, the last change of a scope, and the next expiry of a ticket
  PostgresStatement entry;
  PostgresStatement entry_by_key;
  PostgresStatement entries_by_keys;
  // Entries of a history, and after which number its last ones follow: of the log, of pending tickets, of releases.
  std::array<PostgresStatement, 3> history;
  std::array<PostgresStatement, 3> before_last;
  PostgresStatement scopes;
  PostgresStatement cells;
  PostgresStatement steps;
  PostgresStatement ticket;
  PostgresStatement overdue;
  PostgresStatement tickets;
  PostgresStatement output;
  PostgresStatement row_counts;
  PostgresStatement fact;
};

class PostgresView : public View {
 public:
  // `end` is what the statement of that name returned in this transaction.
  PostgresView(PostgresConnection& connection, const PostgresQuestions& questions, const PostgresRows& end);
  // The cells of a scope that were asked for together with the end.
  void has_cells(const std::string& scope, const PostgresRows& rows);
  // The scopes whose cells were asked for.
  [[nodiscard]] const std::set<std::string>& asked_cells() const noexcept { return asked_cells_; }

  LogEnd end() override { return end_; }
  std::optional<EntryRow> entry(std::int64_t number) override;
  std::optional<EntryRow> entry_by_key(const std::string& key) override;
  void expect_keys(const std::vector<std::string>& keys) override;
  void entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) override;
  void history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) override;
  std::int64_t before_last(const HistoryFilter& filter) override;
  std::int64_t scopes_changed() override { return scopes_changed_; }
  std::vector<ScopeRow> scopes() override;
  std::vector<CellRow> cells(const std::string& scope) override;
  std::vector<StepRow> steps(const std::string& scope, const std::string& cell) override;
  std::optional<TicketRow> ticket(std::int64_t ticket) override;
  std::vector<TicketRow> overdue(const std::string& time, std::int64_t most) override;
  void tickets(const std::function<void(const TicketRow&)>& visit) override;
  std::optional<std::string> output(std::int64_t ticket) override;
  RowCounts row_counts() override;
  std::string fact(const std::string& name) override;

 private:
  PostgresConnection& connection_;
  const PostgresQuestions& questions_;
  LogEnd end_{};
  std::string next_expiry_{};  // when the next pending ticket expires; empty if there is none
  std::map<std::string, std::optional<EntryRow>> expected_{};  // by key
  std::map<std::string, std::vector<CellRow>> cells_{};        // by scope
  std::set<std::string> asked_cells_{};
  std::int64_t scopes_changed_ = -1;
};

}  // namespace renyi::ledger
