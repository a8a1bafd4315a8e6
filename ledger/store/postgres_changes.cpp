#include "ledger/store/postgres_changes.h"

#include <map>
#include <tuple>

#include "ledger/store/postgres_schema.h"

namespace renyi::ledger {

namespace postgres_changes_file {
namespace {

// What is sent returns how many rows it puts.

// If two rows have one key, the later one counts.
template <typename Row, typename Key>
std::vector<const Row*> last_of_each(const std::vector<Row>& rows, Key key) {
  std::map<decltype(key(rows.front())), const Row*> last;
  for (const Row& row : rows) last[key(row)] = &row;
  std::vector<const Row*> result;
  result.reserve(last.size());
  for (const auto& [name, row] : last) result.push_back(row);
  return result;
}

// A column of the rows, for a statement that takes arrays.
template <typename Rows, typename Member>
auto column(const Rows& rows, Member member) {
  std::vector<std::decay_t<decltype(member(*rows.front()))>> result;
  result.reserve(rows.size());
  for (const auto& row : rows) result.push_back(member(*row));
  return result;
}

std::size_t send_entries(PostgresConnection& to, const PostgresChanges& statements, const std::vector<EntryRow>& rows) {
  std::vector<const EntryRow*> all;
  for (const EntryRow& row : rows) all.push_back(&row);
  to.send(statements.entries, PostgresParameters()
                                  .numbers(column(all, [](const EntryRow& row) { return row.entry; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.hash; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.text; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.key; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.scope; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.person; }))
                                  .texts(column(all, [](const EntryRow& row) { return row.time; })));
  return all.size();
}

std::size_t send_scopes(PostgresConnection& to, const PostgresChanges& statements, const std::vector<ScopeRow>& rows) {
  const auto last = last_of_each(rows, [](const ScopeRow& row) { return row.name; });
  to.send(statements.scopes, PostgresParameters()
                                 .texts(column(last, [](const ScopeRow& row) { return row.name; }))
                                 .numbers(column(last, [](const ScopeRow& row) { return row.entry; }))
                                 .texts(column(last, [](const ScopeRow& row) { return row.text; })));
  return last.size();
}

std::size_t send_cells(PostgresConnection& to, const PostgresChanges& statements, const std::vector<CellRow>& rows) {
  const auto last = last_of_each(rows, [](const CellRow& row) { return std::tie(row.scope, row.cell); });
  to.send(statements.cells, PostgresParameters()
                                .texts(column(last, [](const CellRow& row) { return row.scope; }))
                                .texts(column(last, [](const CellRow& row) { return row.cell; }))
                                .bytes(column(last, [](const CellRow& row) { return row.sums; })));
  return last.size();
}

// Counts are added to those stored, and a row whose count becomes 0 is removed, which is sent last: how many of them
// there are is not known.
std::size_t send_steps(PostgresConnection& to, const PostgresChanges& statements, const std::vector<StepRow>& rows) {
  std::map<std::tuple<std::string, std::string, std::string>, std::int64_t> sums;
  for (const StepRow& row : rows) sums[{row.scope, row.cell, row.step}] += row.count;
  std::vector<StepRow> added;
  std::vector<const StepRow*> all;
  std::vector<const StepRow*> lowered;
  added.reserve(sums.size());
  for (const auto& [name, count] : sums) {
    if (count == 0) continue;
    const auto& [scope, cell, step] = name;
    added.push_back({scope, cell, step, count});
    all.push_back(&added.back());
    if (count < 0) lowered.push_back(&added.back());
  }
  const auto names = [](const std::vector<const StepRow*>& some) {
    return PostgresParameters()
        .texts(column(some, [](const StepRow& row) { return row.scope; }))
        .texts(column(some, [](const StepRow& row) { return row.cell; }))
        .texts(column(some, [](const StepRow& row) { return row.step; }));
  };
  if (!all.empty()) {
    to.send(statements.steps, names(all).numbers(column(all, [](const StepRow& row) { return row.count; })));
  }
  if (!lowered.empty()) to.send(statements.no_steps, names(lowered));
  return all.size();
}

std::size_t send_tickets(PostgresConnection& to, const PostgresChanges& statements,
                         const std::vector<TicketRow>& rows) {
  const auto last = last_of_each(rows, [](const TicketRow& row) { return row.ticket; });
  to.send(statements.tickets,
          PostgresParameters()
              .numbers(column(last, [](const TicketRow& row) { return row.ticket; }))
              .texts(column(last, [](const TicketRow& row) { return std::string(to_string(row.state)); }))
              .numbers(column(last, [](const TicketRow& row) { return row.entry; }))
              .texts(column(last, [](const TicketRow& row) { return row.scope; }))
              .texts(column(last, [](const TicketRow& row) { return row.expires; }))
              .texts(column(last, [](const TicketRow& row) { return row.secret; })));
  return last.size();
}

std::size_t send_outputs(PostgresConnection& to, const PostgresChanges& statements,
                         const std::vector<std::pair<std::int64_t, std::string>>& rows) {
  std::vector<std::int64_t> tickets;
  std::vector<std::string> bytes;
  for (const auto& [ticket, output] : rows) {
    tickets.push_back(ticket);
    bytes.push_back(output);
  }
  to.send(statements.outputs, PostgresParameters().numbers(tickets).bytes(bytes));
  return tickets.size();
}

}  // namespace
}  // namespace postgres_changes_file

PostgresChanges::PostgresChanges(const std::string& schema) {
  const auto in = [&](const char* name, const char* sql) {
    return PostgresStatement{name, in_postgres_schema(sql, schema)};
  };
  entries = in("add_entries",
               "INSERT INTO @.entries SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], "
               "$4::text[], $5::text[], $6::text[], $7::text[])");
  scopes = in("put_scopes",
              "INSERT INTO @.scopes SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[]) "
              "ON CONFLICT (name) DO UPDATE SET entry = excluded.entry, text = excluded.text");
  cells = in("put_cells",
             "INSERT INTO @.cells SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) "
             "ON CONFLICT (scope, cell) DO UPDATE SET sums = excluded.sums");
  steps = in("put_steps",
             "INSERT INTO @.steps AS s SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) "
             "ON CONFLICT (scope, cell, step) DO UPDATE SET count = s.count + excluded.count");
  no_steps = in("remove_steps",
                "DELETE FROM @.steps s USING unnest($1::text[], $2::text[], $3::text[]) "
                "AS g(scope, cell, step) WHERE (s.scope, s.cell, s.step) = (g.scope, g.cell, g.step) AND s.count = 0");
  tickets = in("put_tickets",
               "INSERT INTO @.tickets SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], "
               "$4::text[], $5::text[], $6::text[]) ON CONFLICT (ticket) DO UPDATE SET "
               "state = excluded.state, entry = excluded.entry, scope = excluded.scope, "
               "expires = excluded.expires, secret = excluded.secret");
  outputs = in("add_outputs", "INSERT INTO @.outputs SELECT * FROM unnest($1::bigint[], $2::bytea[])");
  fact = in("put_fact", "INSERT INTO @.facts VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value");
}

std::vector<std::string> PostgresChanges::send(PostgresConnection& to, const Changes& changes) const {
  std::vector<std::string> answers;
  const auto put = [&](std::size_t rows) { answers.push_back("INSERT 0 " + std::to_string(rows)); };
  if (!changes.entries.empty()) put(postgres_changes_file::send_entries(to, *this, changes.entries));
  if (!changes.scopes.empty()) put(postgres_changes_file::send_scopes(to, *this, changes.scopes));
  if (!changes.cells.empty()) put(postgres_changes_file::send_cells(to, *this, changes.cells));
  if (!changes.tickets.empty()) put(postgres_changes_file::send_tickets(to, *this, changes.tickets));
  if (!changes.outputs.empty()) put(postgres_changes_file::send_outputs(to, *this, changes.outputs));
  for (const auto& [name, value] : changes.facts) {
    to.send(fact, PostgresParameters().text(name).text(value));
    put(1);
  }
  if (const std::size_t rows = postgres_changes_file::send_steps(to, *this, changes.steps); rows > 0) put(rows);
  return answers;
}

}  // namespace renyi::ledger
