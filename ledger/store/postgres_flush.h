// Waits until what a store has written or read is on the disk of the server. Threads that wait share one flush.
//
// A flush is a transaction that commits synchronously and finds the entries in question: the log of the server is
// written in order, so an entry that this transaction sees is on the disk when it has ended. An entry that it does not
// see was lost when the server crashed before; the thread that wrote it is told so, although the server answers again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "ledger/store/postgres_pool.h"
#include "ledger/store/store.h"

namespace renyi::ledger {

class PostgresFlush {
 public:
  PostgresFlush(PostgresPool& pool, const std::string& schema);

  // This thread has seen the log up to here, in a transaction of this connection that has ended.
  void has_seen(std::uint64_t connection, const LogEnd& end);
  // Returns when all that this thread has seen is on the disk. Throws StoreFailure (unknown) if that is not known.
  void wait();

 private:
  struct Seen {
    std::uint64_t order = 0;
    std::uint64_t connection = 0;
    LogEnd end{};
    bool is_lost = false;
  };
  using Waiting = std::map<std::thread::id, std::vector<Seen>>;

  void flush(std::unique_lock<std::mutex>& lock);
  std::vector<bool> are_stored(const std::vector<Seen>& seen);
  std::vector<bool> ask(PostgresConnection& connection, const std::vector<Seen>& seen);

  PostgresPool& pool_;
  PostgresStatement statement_;
  std::mutex mutex_{};
  std::condition_variable changed_{};
  bool is_flushing_ = false;
  std::uint64_t order_ = 0;
  Waiting waiting_{};
};

}  // namespace renyi::ledger
