// A sweep over all cores: rows come out in order, whatever the order they are made in.
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
  std::uint64_t first = 0;  // index of its first row
  std::uint64_t rows = 0;   // as many as were asked for, unless the sweep was stopped
  std::string text{};
  std::uint64_t unanswered = 0;
};

// Blocks of rows made by several threads, and taken in order by one.
class Blocks {
 public:
  // Of rows from `first` to before `end`. Not more than `ahead` blocks wait for an earlier one.
  Blocks(std::uint64_t first, std::uint64_t end, std::size_t ahead) : next_row_(first), end_(end), ahead_(ahead) {}

  // The next rows to be made, at most so many; waits while too many blocks are ahead. Nothing: there are no more.
  std::optional<Block> begin(std::uint64_t most_rows);
  void deliver(Block block);
  // Instead of a block.
  void fail(std::exception_ptr failure);

  // The next block in order; nothing where there is none yet. Throws what a thread failed with.
  std::optional<Block> take(std::chrono::milliseconds patience);

  // No more blocks are begun.
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
  std::deque<Begun> begun_;  // in order of rows
  std::exception_ptr failure_;
  bool stopped_ = false;
};

struct RunOptions {
  std::uint64_t first = 0;  // rows before it are there already
  unsigned jobs = 1;
};

// Gives the rows from options.first on to `write`, block by block, in order. Asks `go_on` between blocks and every
// tenth of a second; once it says no, rows under way are finished and what is complete is written. Both are called by
// the calling thread. Returns how many rows there are now, those before options.first included.
std::uint64_t run(const Rows& rows, const RunOptions& options, const std::function<void(const Block&)>& write,
                  const std::function<bool()>& go_on);

}  // namespace renyi::api::sweep
