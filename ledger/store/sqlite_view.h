// Reads of a ledger in a SQLite file, within one transaction.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/store/sqlite.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

// The statements of one connection.
class SqliteView final : public View {
 public:
  explicit SqliteView(const Connection& connection);

  LogEnd end() override;
  std::optional<EntryRow> entry(std::int64_t number) override;
  std::optional<EntryRow> entry_by_key(const std::string& key) override;
  void entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) override;
  void history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) override;
  std::int64_t before_last(const HistoryFilter& filter) override;
  std::int64_t scopes_changed() override;
  std::vector<ScopeRow> scopes() override;
  std::vector<CellRow> cells(const std::string& scope) override;
  std::vector<StepRow> steps(const std::string& scope, const std::string& cell) override;
  std::optional<TicketRow> ticket(std::int64_t number) override;
  std::vector<TicketRow> overdue(const std::string& time, std::int64_t most) override;
  void tickets(const std::function<void(const TicketRow&)>& visit) override;
  std::optional<std::string> output(std::int64_t ticket) override;
  std::string damage() override;
  RowCounts row_counts() override;
  std::string fact(const std::string& name) override;

 private:
  const Connection& connection_;
  Statement end_, entry_, by_key_, scopes_changed_, cells_, ticket_, overdue_;
};

}  // namespace renyi::ledger
