#include "ledger/store/postgres_flush.h"

#include <algorithm>

#include "ledger/fault_point.h"
#include "ledger/store/postgres_schema.h"

namespace renyi::ledger {

// A transaction commits synchronously only if it has written something: a message that nobody reads. On a standby there
// is nothing to do, since it gets only what is on the disk of its primary.
PostgresFlush::PostgresFlush(PostgresPool& pool, const std::string& schema)
    : pool_(pool),
      statement_{
          "flush",
          in_postgres_schema(
              "SELECT EXISTS (SELECT FROM @.entries e WHERE e.entry = s.entry AND e.hash = s.hash), "
              "CASE WHEN s.number = 1 AND NOT pg_is_in_recovery() THEN pg_logical_emit_message(true, 'renyi', '') END "
              "FROM unnest($1::bigint[], $2::text[]) WITH ORDINALITY AS s(entry, hash, number) ORDER BY s.number",
              schema)} {}

void PostgresFlush::has_seen(std::uint64_t connection, const LogEnd& end) {
  if (end.entry < 0) return;
  const std::lock_guard lock(mutex_);
  std::vector<Seen>& seen = waiting_[std::this_thread::get_id()];
  // A connection does not outlive a crash of the server, so that what it sees later includes what it saw before.
  std::erase_if(seen, [&](const Seen& before) { return before.connection == connection && !before.is_lost; });
  seen.push_back({.order = ++order_, .connection = connection, .end = end});
}

void PostgresFlush::wait() {
  std::unique_lock lock(mutex_);
  const std::thread::id self = std::this_thread::get_id();
  const bool is_own = waiting_.contains(self);  // otherwise it waits for what all threads have seen
  const std::uint64_t until = order_;
  const auto any = [&](bool is_lost) {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& waiting) {
      return (!is_own || waiting.first == self) &&
             std::any_of(waiting.second.begin(), waiting.second.end(),
                         [&](const Seen& one) { return one.is_lost == is_lost && one.order <= until; });
    });
  };
  while (any(false)) {
    if (is_flushing_) {
      changed_.wait(lock);
      continue;
    }
    try {
      flush(lock);
    } catch (...) {
      waiting_.erase(self);  // this thread is told
      throw;
    }
  }
  if (!any(true)) return;
  waiting_.erase(self);
  throw StoreFailure(StoreFault::unknown, "the PostgreSQL server crashed before the entry was on the disk, and lost it",
                     "repeat the call with its key");
}

void PostgresFlush::flush(std::unique_lock<std::mutex>& lock) {
  std::vector<Seen> all;
  for (const auto& [thread, seen] : waiting_) {
    std::copy_if(seen.begin(), seen.end(), std::back_inserter(all), [](const Seen& one) { return !one.is_lost; });
  }
  is_flushing_ = true;
  lock.unlock();
  std::vector<bool> stored;
  try {
    stored = are_stored(all);
  } catch (...) {
    lock.lock();
    is_flushing_ = false;
    changed_.notify_all();
    throw;
  }
  lock.lock();
  is_flushing_ = false;
  for (auto& [thread, seen] : waiting_) {
    std::vector<Seen> left;
    for (Seen& one : seen) {
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const Seen& other) { return other.order == one.order; });
      const bool is_checked = found != all.end();
      if (is_checked) one.is_lost = !stored[static_cast<std::size_t>(found - all.begin())];
      if (!is_checked || one.is_lost) left.push_back(one);
    }
    seen = std::move(left);
  }
  std::erase_if(waiting_, [](const auto& thread) { return thread.second.empty(); });
  changed_.notify_all();
}

std::vector<bool> PostgresFlush::ask(PostgresConnection& connection, const std::vector<Seen>& seen) {
  static const PostgresStatement begin{"flush_begin", "BEGIN ISOLATION LEVEL READ COMMITTED"};
  static const PostgresStatement wait{
      "flush_wait",
      "SELECT set_config('synchronous_commit', "
      "CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' "
      "ELSE 'on' END, true)"};
  static const PostgresStatement commit{"flush_commit", "COMMIT"};
  std::vector<std::int64_t> entries;
  std::vector<std::string> hashes;
  for (const Seen& one : seen) {
    entries.push_back(one.end.entry);
    hashes.push_back(one.end.hash);
  }
  connection.send(begin);
  connection.send(wait);
  connection.send(statement_, PostgresParameters().numbers(entries).texts(hashes));
  connection.send(commit);
  connection.finish_sending();
  fault_point("postgres.flush.sent");
  const std::vector<PostgresRows> results = connection.receive();
  std::vector<bool> stored;
  for (int row = 0; row < results[2].count(); ++row) stored.push_back(results[2].truth(row, 0));
  return stored;
}

// The question may be asked again on another connection, because it is answered by what is stored.
std::vector<bool> PostgresFlush::are_stored(const std::vector<Seen>& seen) {
  for (bool is_first = true;; is_first = false) {
    try {
      fault_point("postgres.flush.before");
      PostgresPool::Loan connection = pool_.borrow();
      try {
        std::vector<bool> stored = ask(*connection, seen);
        fault_point("postgres.flush.after");
        return stored;
      } catch (...) {
        connection.roll_back();
        throw;
      }
    } catch (const StoreFailure& failure) {
      pool_.drop_idle();
      if (is_first) continue;
      throw StoreFailure(StoreFault::unknown,
                         std::string("it is not known whether the entry is on the disk (") + failure.what() + ")",
                         "repeat the call with its key");
    }
  }
}

}  // namespace renyi::ledger
