#include "ledger/store/sqlite_changes.h"

#include "renyi/error.h"

namespace renyi::ledger {

SqliteChanges::SqliteChanges(const Connection& connection)
    : connection_(connection),
      entry_(connection.prepare("INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")),
      scope_(
          connection.prepare("INSERT INTO scopes VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET entry = ?2, text = ?3")),
      cell_(connection.prepare("INSERT INTO cells VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET sums = ?3")),
      step_(
          connection.prepare("INSERT INTO steps VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET count = count + ?4")),
      drop_step_(connection.prepare("DELETE FROM steps WHERE scope = ?1 AND cell = ?2 AND step = ?3 AND count = 0")),
      ticket_(connection.prepare("INSERT INTO tickets VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET "
                                 "state = ?2, entry = ?3, secret = ?6")),
      output_(connection.prepare("INSERT INTO outputs VALUES (?1, ?2)")),
      fact_(connection.prepare("INSERT INTO facts VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2")) {}

// A trigger that somebody added may have ignored the row.
void SqliteChanges::put(Statement& statement) {
  statement.run();
  if (sqlite3_changes64(connection_.get()) == 1) return;
  throw StoreFailure(StoreFault::corrupt, "the file did not take a row that was written", "run `renyi ledger verify`");
}

void SqliteChanges::make(const Changes& changes) {
  for (const EntryRow& row : changes.entries) {
    entry_.bind(1, row.entry).bind(2, row.hash).bind(3, row.text).bind(4, row.key);
    put(entry_.bind(5, row.scope).bind(6, row.person).bind(7, row.time));
  }
  for (const ScopeRow& row : changes.scopes) put(scope_.bind(1, row.name).bind(2, row.entry).bind(3, row.text));
  for (const CellRow& row : changes.cells) put(cell_.bind(1, row.scope).bind(2, row.cell).bind_blob(3, row.sums));
  for (const StepRow& row : changes.steps) {
    put(step_.bind(1, row.scope).bind(2, row.cell).bind(3, row.step).bind(4, row.count));
    if (row.count < 0) drop_step_.bind(1, row.scope).bind(2, row.cell).bind(3, row.step).run();
  }
  for (const TicketRow& row : changes.tickets) {
    ticket_.bind(1, row.ticket).bind(2, to_string(row.state)).bind(3, row.entry).bind(4, row.scope);
    put(ticket_.bind(5, row.expires).bind(6, row.secret));
  }
  for (const auto& [ticket, bytes] : changes.outputs) put(output_.bind(1, ticket).bind_blob(2, bytes));
  for (const auto& [name, value] : changes.facts) put(fact_.bind(1, name).bind(2, value));
}

}  // namespace renyi::ledger
