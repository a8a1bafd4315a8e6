#include "ledger/store/sqlite_view.h"

#include <fmt/format.h>

#include "renyi/error.h"

namespace renyi::ledger {

namespace sqlite_view_file {
namespace {

TicketState read_state(const std::string& text) {
  for (const TicketState state : {TicketState::reserved, TicketState::opened, TicketState::committed,
                                  TicketState::cancelled, TicketState::expired}) {
    if (text == to_string(state)) return state;
  }
  throw StoreFailure(StoreFault::corrupt, "a ticket has an unknown state", "run `renyi ledger verify`");
}

constexpr const char* entry_columns = "entry, hash, text, key, scope, person, time";

EntryRow read_entry_row(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6)};
}

TicketRow read_ticket_row(const Statement& row) {
  return {row.integer(0), read_state(row.text(1)), row.integer(2), row.text(3), row.text(4), row.text(5)};
}

// Ends the use of a statement however a function is left.
class Use {
 public:
  explicit Use(Statement& statement) : statement_(statement) {}
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  ~Use() { statement_.reset(); }

 private:
  Statement& statement_;
};

// Where the rows of a history are, and the number by which they are ordered: tickets lead to their entries by indexes.
// The text of an entry is canonical, so that nothing within a string looks like a member.
struct HistoryQuery {
  std::string number;
  std::string rows;
};

HistoryQuery history_query(HistoryOf of) {
  const char* from = "entries e WHERE true";
  std::string number = "e.entry";
  if (of == HistoryOf::pending) {
    number = "t.ticket";
    from = "tickets t CROSS JOIN entries e ON e.entry = t.ticket WHERE t.state = 'reserved'";
  } else if (of == HistoryOf::releases) {
    number = "t.entry";
    from =
        "tickets t CROSS JOIN entries e ON e.entry = t.entry WHERE t.state = 'committed' "
        "AND instr(e.text, '\"output_sha256\":\"') > 0";
  }
  return {number, fmt::format("{0} AND {1} > ?1 AND (?6 < 0 OR {1} < ?6)"
                              " AND (?2 = '' OR e.scope = ?2 OR substr(e.scope, 1, length(?2) + 1) = ?2 || '/')"
                              " AND (?3 = '' OR e.person = ?3) AND e.time >= ?4 AND (?5 = '' OR e.time < ?5)",
                              from, number)};
}

void bind_history(Statement& rows, const HistoryFilter& filter, std::int64_t most) {
  rows.bind(1, filter.after).bind(2, filter.scope).bind(3, filter.person).bind(4, filter.since);
  rows.bind(5, filter.until).bind(6, filter.before).bind(7, most > 0 ? most : -1);
}

}  // namespace
}  // namespace sqlite_view_file

SqliteView::SqliteView(const Connection& connection)
    : connection_(connection),
      end_(connection.prepare("SELECT entry, hash, time FROM entries ORDER BY entry DESC LIMIT 1")),
      entry_(
          connection.prepare(fmt::format("SELECT {} FROM entries WHERE entry = ?1", sqlite_view_file::entry_columns))),
      by_key_(connection.prepare(
          fmt::format("SELECT {} FROM entries WHERE key = ?1 AND key <> ''", sqlite_view_file::entry_columns))),
      scopes_changed_(connection.prepare("SELECT entry FROM scopes ORDER BY entry DESC LIMIT 1")),
      cells_(connection.prepare("SELECT cell, sums FROM cells WHERE scope = ?1")),
      ticket_(connection.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets WHERE ticket = ?1")),
      overdue_(connection.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets "
                                  "WHERE state = 'reserved' AND expires <= ?1 ORDER BY expires LIMIT ?2")) {}

LogEnd SqliteView::end() {
  const sqlite_view_file::Use use(end_);
  return end_.step() ? LogEnd{end_.integer(0), end_.text(1), end_.text(2)} : LogEnd{};
}

std::optional<EntryRow> SqliteView::entry(std::int64_t number) {
  const sqlite_view_file::Use use(entry_);
  return entry_.bind(1, number).step() ? std::optional(sqlite_view_file::read_entry_row(entry_)) : std::nullopt;
}

std::optional<EntryRow> SqliteView::entry_by_key(const std::string& key) {
  const sqlite_view_file::Use use(by_key_);
  return by_key_.bind(1, key).step() ? std::optional(sqlite_view_file::read_entry_row(by_key_)) : std::nullopt;
}

void SqliteView::entries(std::int64_t from, const std::function<bool(const EntryRow&)>& visit) {
  Statement rows = connection_.prepare(
      fmt::format("SELECT {} FROM entries WHERE entry >= ?1 ORDER BY entry", sqlite_view_file::entry_columns));
  rows.bind(1, from);
  while (rows.step() && visit(sqlite_view_file::read_entry_row(rows))) {
  }
}

void SqliteView::history(const HistoryFilter& filter, const std::function<void(const EntryRow&)>& visit) {
  const sqlite_view_file::HistoryQuery query = sqlite_view_file::history_query(filter.of);
  Statement rows = connection_.prepare(
      fmt::format("SELECT e.entry, e.hash, e.text, e.key, e.scope, e.person, e.time FROM {} ORDER BY {} LIMIT ?7",
                  query.rows, query.number));
  sqlite_view_file::bind_history(rows, filter, filter.most);
  while (rows.step()) visit(sqlite_view_file::read_entry_row(rows));
}

std::int64_t SqliteView::before_last(const HistoryFilter& filter) {
  const sqlite_view_file::HistoryQuery query = sqlite_view_file::history_query(filter.of);
  Statement first = connection_.prepare(fmt::format(
      "SELECT min(n) - 1 FROM (SELECT {0} AS n FROM {1} ORDER BY {0} DESC LIMIT ?7)", query.number, query.rows));
  sqlite_view_file::bind_history(first, filter, filter.last);
  return first.step() && !first.is_null(0) ? first.integer(0) : filter.after;
}

std::int64_t SqliteView::scopes_changed() {
  const sqlite_view_file::Use use(scopes_changed_);
  return scopes_changed_.step() ? scopes_changed_.integer(0) : -1;
}

std::vector<ScopeRow> SqliteView::scopes() {
  Statement rows = connection_.prepare("SELECT name, entry, text FROM scopes ORDER BY name");
  std::vector<ScopeRow> list;
  while (rows.step()) list.push_back({rows.text(0), rows.integer(1), rows.text(2)});
  return list;
}

std::vector<CellRow> SqliteView::cells(const std::string& scope) {
  const sqlite_view_file::Use use(cells_);
  cells_.bind(1, scope);
  std::vector<CellRow> list;
  while (cells_.step()) list.push_back({scope, cells_.text(0), cells_.blob(1)});
  return list;
}

std::vector<StepRow> SqliteView::steps(const std::string& scope, const std::string& cell) {
  Statement rows = connection_.prepare("SELECT step, count FROM steps WHERE scope = ?1 AND cell = ?2 ORDER BY step");
  rows.bind(1, scope).bind(2, cell);
  std::vector<StepRow> list;
  while (rows.step()) list.push_back({scope, cell, rows.text(0), rows.integer(1)});
  return list;
}

std::optional<TicketRow> SqliteView::ticket(std::int64_t number) {
  const sqlite_view_file::Use use(ticket_);
  return ticket_.bind(1, number).step() ? std::optional(sqlite_view_file::read_ticket_row(ticket_)) : std::nullopt;
}

std::vector<TicketRow> SqliteView::overdue(const std::string& time, std::int64_t most) {
  const sqlite_view_file::Use use(overdue_);
  overdue_.bind(1, time).bind(2, most);
  std::vector<TicketRow> list;
  while (overdue_.step()) list.push_back(sqlite_view_file::read_ticket_row(overdue_));
  return list;
}

void SqliteView::tickets(const std::function<void(const TicketRow&)>& visit) {
  Statement rows =
      connection_.prepare("SELECT ticket, state, entry, scope, expires, secret FROM tickets ORDER BY ticket");
  while (rows.step()) visit(sqlite_view_file::read_ticket_row(rows));
}

std::optional<std::string> SqliteView::output(std::int64_t ticket) {
  Statement row = connection_.prepare("SELECT bytes FROM outputs WHERE ticket = ?1");
  return row.bind(1, ticket).step() ? std::optional(row.blob(0)) : std::nullopt;
}

std::string SqliteView::damage() {
  const std::string found = connection_.ask("PRAGMA integrity_check(1)");
  return found == "ok" ? "" : "SQLite finds the file damaged";
}

RowCounts SqliteView::row_counts() {
  Statement row = connection_.prepare(
      "SELECT (SELECT count(*) FROM entries), (SELECT count(*) FROM cells), (SELECT count(*) FROM steps), "
      "(SELECT count(*) FROM outputs)");
  row.step();
  return {.entries = row.integer(0), .cells = row.integer(1), .steps = row.integer(2), .outputs = row.integer(3)};
}

std::string SqliteView::fact(const std::string& name) {
  Statement row = connection_.prepare("SELECT value FROM facts WHERE name = ?1");
  return row.bind(1, std::string_view(name)).step() ? row.text(0) : std::string();
}

}  // namespace renyi::ledger
