#include "api/sweep/run.h"

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace renyi::api::sweep {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Long enough to share a lock rarely, short enough to lose little and to end together.
constexpr milliseconds short_block{20};
constexpr milliseconds long_block{80};
constexpr std::uint64_t most_rows_in_a_block = 1024;
constexpr std::size_t blocks_ahead_for_each_job = 16;
constexpr milliseconds patience{100};

std::uint64_t fitting_rows(std::uint64_t rows, Clock::duration taken) {
  if (taken < short_block) return std::min(2 * rows, most_rows_in_a_block);
  return taken > long_block ? std::max<std::uint64_t>(rows / 2, 1) : rows;
}

// Threads that make blocks until there are no more; gone at the end of its life.
class Workers {
 public:
  Workers(const Rows& rows, Blocks& blocks, unsigned jobs) : rows_(rows), blocks_(blocks) {
    try {
      for (unsigned i = 0; i < jobs; ++i) threads_.emplace_back([this] { work(); });
    } catch (...) {
      stop();  // those that there are would wait for ever
      throw;
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { stop(); }

  void stop() {
    stopping_ = true;
    blocks_.stop();
    threads_.clear();  // joins them
  }

 private:
  void work() {
    try {
      Configuration configuration(rows_.grid());
      std::uint64_t most_rows = 1;
      while (auto block = blocks_.begin(most_rows)) {
        const auto start = Clock::now();
        fill(*block, configuration);
        most_rows = fitting_rows(most_rows, Clock::now() - start);
        blocks_.deliver(*std::move(block));
      }
    } catch (const abi::__forced_unwind&) {
      throw;  // the thread is being ended, not the work
    } catch (...) {
      blocks_.fail(std::current_exception());
    }
  }

  void fill(Block& block, Configuration& configuration) const {
    const std::uint64_t asked = block.rows;
    for (block.rows = 0; block.rows < asked && !stopping_.load(std::memory_order_relaxed); ++block.rows) {
      if (!rows_.append(block.text, block.first + block.rows, configuration)) ++block.unanswered;
    }
  }

  const Rows& rows_;
  Blocks& blocks_;
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace

std::uint64_t run(const Rows& rows, const RunOptions& options, const std::function<void(const Block&)>& write,
                  const std::function<bool()>& go_on) {
  std::uint64_t done = options.first;
  Blocks blocks(done, rows.grid().size, blocks_ahead_for_each_job * options.jobs);
  Workers workers(rows, blocks, options.jobs);
  const auto write_next = [&](milliseconds wait) {
    const auto block = blocks.take(wait);
    // A gap is left by a block that was cut short: nothing after it is in order.
    if (!block || block->first != done) return false;
    write(*block);
    done += block->rows;
    return true;
  };
  while (done < rows.grid().size && go_on()) write_next(patience);
  workers.stop();
  while (write_next(milliseconds(0))) {
  }
  return done;
}

}  // namespace renyi::api::sweep
