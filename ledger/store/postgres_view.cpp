#include "ledger/store/postgres_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ledger/store/postgres_schema.h"

namespace renyi::ledger {

namespace postgres_view_file {
namespace {

constexpr std::int64_t page = 500;  // entries that are read at once

EntryRow entry_row(const PostgresRows& rows, int row) {
  return {.entry = rows.number(row, 0),
          .hash = rows.text(row, 1),
          .text = rows.text(row, 2),
          .key = rows.text(row, 3),
          .scope = rows.text(row, 4),
          .person = rows.text(row, 5),
          .time = rows.text(row, 6)};
}

std::optional<EntryRow> first_entry(const PostgresRows& rows) {
  return rows.count() == 0 ? std::nullopt : std::optional(entry_row(rows, 0));
}

TicketState state_of(const std::string& text) {
  constexpr std::array states = {TicketState::reserved, TicketState::opened, TicketState::committed,
                                 TicketState::cancelled, TicketState::expired};
  const auto* const found =
      std::find_if(states.begin(), states.end(), [&](TicketState state) { return to_string(state) == text; });
  if (found == states.end()) {
    throw StoreFailure(StoreFault::corrupt, "a ticket has no state that is known", "run `renyi ledger verify`");
  }
  return *found;
}

std::vector<TicketRow> ticket_rows(const PostgresRows& rows) {
  std::vector<TicketRow> result;
  for (int row = 0; row < rows.count(); ++row) {
    result.push_back({.ticket = rows.number(row, 0),
                      .state = state_of(rows.text(row, 1)),
                      .entry = rows.number(row, 2),
                      .scope = rows.text(row, 3),
                      .expires = rows.text(row, 4),
                      .secret = rows.text(row, 5)});
  }
  return result;
}

// Where the rows of a history are, and the number by which they are ordered: tickets lead to their entries by indexes.
// The text of an entry is canonical, so that nothing within a string looks like a member.
struct HistoryQuery {
  const char* number;
  const char* rows;
};
constexpr std::array<HistoryQuery, 3> histories{
    {{"e.entry", "@.entries e WHERE true"},
     {"t.ticket", "@.tickets t JOIN @.entries e ON e.entry = t.ticket WHERE t.state = 'reserved'"},
     {"t.entry",
      "@.tickets t JOIN @.entries e ON e.entry = t.entry WHERE t.state = 'committed' "
      "AND position('\"output_sha256\":\"' IN e.text) > 0"}}};

// An empty filter admits all. The character '0' is the one after '/', so that scopes within S are from "S/" to "S0".
std::string history_rows(const HistoryQuery& query) {
  return fmt::format(
      "{0} AND {1} > $1 AND ($6::bigint < 0 OR {1} < $6::bigint)"
      " AND ($2::text = '' OR e.scope = $2 OR (e.scope >= $2 || '/' AND e.scope < $2 || '0'))"
      " AND ($3::text = '' OR e.person = $3) AND ($4::text = '' OR e.time >= $4) AND ($5::text = '' OR e.time < $5)",
      query.rows, query.number);
}

std::string history_page(const HistoryQuery& query) {
  return fmt::format(
      "SELECT e.entry, e.hash, e.text, e.key, e.scope, e.person, e.time FROM {} ORDER BY {} LIMIT $7::bigint",
      history_rows(query), query.number);
}

std::string history_before_last(const HistoryQuery& query) {
  return fmt::format(
      "SELECT coalesce(min(n) - 1, $1) FROM (SELECT {0} AS n FROM {1} ORDER BY {0} DESC LIMIT $7::bigint) AS last",
      query.number, history_rows(query));
}

PostgresParameters history_parameters(const HistoryFilter& filter, std::int64_t most) {
  return PostgresParameters()
      .number(filter.after)
      .text(filter.scope)
      .text(filter.person)
      .text(filter.since)
      .text(filter.until)
      .number(filter.before)
      .number(most);
}

}  // namespace
}  // namespace postgres_view_file

PostgresQuestions::PostgresQuestions(const std::string& schema) {
  const auto in = [&](const char* name, const char* sql) {
    return PostgresStatement{name, in_postgres_schema(sql, schema)};
  };
  end = in("end",
           "SELECT entry, hash, time, coalesce((SELECT max(entry) FROM @.scopes), -1), "
           "coalesce((SELECT min(expires) FROM @.tickets WHERE state = 'reserved'), '') FROM @.entries "
           "ORDER BY entry DESC LIMIT 1");
  entry = in("entry", "SELECT entry, hash, text, key, scope, person, time FROM @.entries WHERE entry = $1");
  entry_by_key = in("entry_by_key",
                    "SELECT entry, hash, text, key, scope, person, time FROM @.entries "
                    "WHERE key = $1 AND key <> ''");
  entries_by_keys = in("entries_by_keys",
                       "SELECT entry, hash, text, key, scope, person, time FROM @.entries "
                       "WHERE key = ANY ($1::text[]) AND key <> ''");
  for (std::size_t of = 0; of < history.size(); ++of) {
    const auto& query = postgres_view_file::histories.at(of);
    history.at(of) = {fmt::format("history_{}", of),
                      in_postgres_schema(postgres_view_file::history_page(query), schema)};
    before_last.at(of) = {fmt::format("history_before_last_{}", of),
                          in_postgres_schema(postgres_view_file::history_before_last(query), schema)};
  }
  scopes = in("scopes", "SELECT name, entry, text FROM @.scopes ORDER BY name");
  cells = in("cells", "SELECT cell, sums FROM @.cells WHERE scope = $1 ORDER BY cell");
  steps = in("steps", "SELECT step, count FROM @.steps WHERE scope = $1 AND cell = $2 ORDER BY step");
  ticket = in("ticket", "SELECT ticket, state, entry, scope, expires, secret FROM @.tickets WHERE ticket = $1");
  overdue = in("overdue",
               "SELECT ticket, state, entry, scope, expires, secret FROM @.tickets "
               "WHERE state = 'reserved' AND expires <= $1 ORDER BY expires, ticket LIMIT $2::bigint");
  tickets = in("tickets",
               "SELECT ticket, state, entry, scope, expires, secret FROM @.tickets WHERE ticket > $1 "
               "ORDER BY ticket LIMIT $2::bigint");
  output = in("output", "SELECT bytes FROM @.outputs WHERE ticket = $1");
  row_counts = in("row_counts",
                  "SELECT (SELECT count(*) FROM @.entries), (SELECT count(*) FROM @.cells), "
                  "(SELECT count(*) FROM @.steps), (SELECT count(*) FROM @.outputs)");
  fact = in("fact", "SELECT value FROM @.facts WHERE name = $1");
}

PostgresView::PostgresView(PostgresConnection& connection, const PostgresQuestions& questions, const PostgresRows& end)
    : connection_(connection), questions_(questions) {
  if (end.count() == 0) return;
  end_ = {.entry = end.number(0, 0), .hash = end.text(0, 1), .time = end.text(0, 2)};
  scopes_changed_ = end.number(0, 3);
  next_expiry_ = end.text(0, 4);
}

std::optional<EntryRow> PostgresView::entry(std::int64_t number) {
  return postgres_view_file::first_entry(connection_.run(questions_.entry, PostgresParameters().number(number)));
}

std::optional<EntryRow> PostgresView::entry_by_key(const std::string& key) {
  if (const auto expected = expected_.find(key); expected != expected_.end()) return expected->second;
  return postgres_view_file::first_entry(connection_.run(questions_.entry_by_key, PostgresParameters().text(key)));
}

void PostgresView::expect_keys(const std::vector<std::string>& keys) {
  if (keys.size() < 2) return;
  const PostgresRows rows = connection_.run(questions_.entries_by_keys, PostgresParameters().texts(keys));
  for (const std::string& key : keys) expected_[key];
  for (int row = 0; row < rows.count(); ++row) {
    EntryRow entry = postgres_view_file::entry_row(rows, row);
    expected_[entry.key] = std::move(entry);
  }
}

void PostgresView::entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) {
  HistoryFilter filter{.after = from - 1, .most = postgres_view_file::page};
  for (bool goes_on = true; goes_on;) {
    std::int64_t found = 0;
    // A page is read whole, and visited as long as the visitor wants.
    history(filter, [&](const EntryRow& row) {
      ++found;
      filter.after = row.entry;
      goes_on = goes_on && visit(row);
    });
    goes_on = goes_on && found == postgres_view_file::page;
  }
}

void PostgresView::history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) {
  const auto of = static_cast<std::size_t>(filter.of);
  HistoryFilter next = filter;
  std::int64_t left = filter.most > 0 ? filter.most : std::numeric_limits<std::int64_t>::max();
  for (bool goes_on = true; goes_on && left > 0;) {
    const std::int64_t most = std::min(left, postgres_view_file::page);
    const PostgresRows rows =
        connection_.run(questions_.history.at(of), postgres_view_file::history_parameters(next, most));
    for (int row = 0; row < rows.count(); ++row) visit(postgres_view_file::entry_row(rows, row));
    // The number by which a history is ordered is that of its entry.
    if (rows.count() > 0) next.after = rows.number(rows.count() - 1, 0);
    left -= rows.count();
    goes_on = rows.count() == most;
  }
}

std::int64_t PostgresView::before_last(const HistoryFilter& filter) {
  const auto& statement = questions_.before_last.at(static_cast<std::size_t>(filter.of));
  return connection_.run(statement, postgres_view_file::history_parameters(filter, filter.last)).number(0, 0);
}

std::vector<ScopeRow> PostgresView::scopes() {
  const PostgresRows rows = connection_.run(questions_.scopes);
  std::vector<ScopeRow> result;
  for (int row = 0; row < rows.count(); ++row) {
    result.push_back({.name = rows.text(row, 0), .entry = rows.number(row, 1), .text = rows.text(row, 2)});
  }
  return result;
}

namespace postgres_view_file {
namespace {

std::vector<CellRow> cell_rows(const std::string& scope, const PostgresRows& rows) {
  std::vector<CellRow> result;
  for (int row = 0; row < rows.count(); ++row) {
    result.push_back({.scope = scope, .cell = rows.text(row, 0), .sums = rows.text(row, 1)});
  }
  return result;
}

}  // namespace
}  // namespace postgres_view_file

void PostgresView::has_cells(const std::string& scope, const PostgresRows& rows) {
  cells_[scope] = postgres_view_file::cell_rows(scope, rows);
}

std::vector<CellRow> PostgresView::cells(const std::string& scope) {
  asked_cells_.insert(scope);
  if (const auto known = cells_.find(scope); known != cells_.end()) return known->second;
  return postgres_view_file::cell_rows(scope, connection_.run(questions_.cells, PostgresParameters().text(scope)));
}

std::vector<StepRow> PostgresView::steps(const std::string& scope, const std::string& cell) {
  const PostgresRows rows = connection_.run(questions_.steps, PostgresParameters().text(scope).text(cell));
  std::vector<StepRow> result;
  for (int row = 0; row < rows.count(); ++row) {
    result.push_back({.scope = scope, .cell = cell, .step = rows.text(row, 0), .count = rows.number(row, 1)});
  }
  return result;
}

std::optional<TicketRow> PostgresView::ticket(std::int64_t ticket) {
  const std::vector<TicketRow> rows =
      postgres_view_file::ticket_rows(connection_.run(questions_.ticket, PostgresParameters().number(ticket)));
  return rows.empty() ? std::nullopt : std::optional(rows.front());
}

std::vector<TicketRow> PostgresView::overdue(const std::string& time, std::int64_t most) {
  if (end_.entry >= 0 && (next_expiry_.empty() || next_expiry_ > time)) return {};
  return postgres_view_file::ticket_rows(
      connection_.run(questions_.overdue, PostgresParameters().text(time).number(most)));
}

void PostgresView::tickets(const std::function<void(const TicketRow&)>& visit) {
  std::int64_t after = -1;
  for (bool goes_on = true; goes_on;) {
    const std::vector<TicketRow> rows = postgres_view_file::ticket_rows(
        connection_.run(questions_.tickets, PostgresParameters().number(after).number(postgres_view_file::page)));
    for (const TicketRow& row : rows) visit(row);
    goes_on = rows.size() == postgres_view_file::page;
    if (goes_on) after = rows.back().ticket;
  }
}

std::optional<std::string> PostgresView::output(std::int64_t ticket) {
  const PostgresRows rows = connection_.run(questions_.output, PostgresParameters().number(ticket));
  return rows.count() == 0 ? std::nullopt : std::optional(rows.text(0, 0));
}

RowCounts PostgresView::row_counts() {
  const PostgresRows rows = connection_.run(questions_.row_counts);
  return {.entries = rows.number(0, 0),
          .cells = rows.number(0, 1),
          .steps = rows.number(0, 2),
          .outputs = rows.number(0, 3)};
}

std::string PostgresView::fact(const std::string& name) {
  const PostgresRows rows = connection_.run(questions_.fact, PostgresParameters().text(name));
  return rows.count() == 0 ? std::string() : rows.text(0, 0);
}

}  // namespace renyi::ledger
