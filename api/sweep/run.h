// Runs a sweep on all cores. Rows are written in order, whatever the order in which they are computed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "api/sweep/rows.h"

namespace renyi::api::sweep {

struct Block {
  std::uint64_t first = 0;  // the index of its first row
  std::uint64_t rows = 0;   // the requested number, unless the sweep was stopped
  std::string text{};
  std::uint64_t unanswered = 0;
};

// Blocks of rows that several threads compute and one thread takes in order.
class Blocks {
 public:
  // Covers the rows from `first` to before `end`. At most `ahead` blocks wait for an earlier one.
  Blocks(std::uint64_t first, std::uint64_t end, std::size_t ahead) : next_row_(first), end_(end), ahead_(ahead) {}

  // Returns the next rows to compute, at most `most_rows`; waits while too many blocks are ahead. Returns std::nullopt
  // if there are no more rows.
  std::optional<Block> begin(std::uint64_t most_rows);
  void deliver(Block block);
  // Reports a failure instead of a block.
  void fail(std::exception_ptr failure);

  // Returns the next block in order, or std::nullopt if it is not ready within `patience`. Rethrows the exception of a
  // failed thread.
  std::optional<Block> take(std::chrono::milliseconds patience);

  // Starts no further blocks.
  void stop();

 private:
  std::mutex guard_;
  std::condition_variable room_;
  std::condition_variable ready_;
  std::uint64_t next_row_;
  std::uint64_t end_;
  std::size_t ahead_;
  struct Begun {
    std::uint64_t first = 0;
    std::optional<Block> made{};
  };
  std::deque<Begun> begun_;  // in the order of the rows
  std::exception_ptr failure_;
  bool stopped_ = false;
};

struct RunOptions {
  std::uint64_t first = 0;  // the rows before it exist already
  unsigned jobs = 1;
};

// Passes the rows from options.first on to `write`, block by block, in order. Calls `go_on` between blocks and every
// tenth of a second; once it returns false, rows under way are finished and what is complete is written. Both are
// called by the calling thread. Returns the number of rows that exist now, including those before options.first.
std::uint64_t run(const Rows& rows, const RunOptions& options, const std::function<void(const Block&)>& write,
                  const std::function<bool()>& go_on);

}  // namespace renyi::api::sweep
