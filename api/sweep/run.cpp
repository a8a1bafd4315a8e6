#include "api/sweep/run.h"

#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "renyi/limits.h"

namespace renyi::api::sweep {

using std::chrono::milliseconds;

namespace run_file {
namespace {

using Clock = std::chrono::steady_clock;

// A block is long enough to take the lock rarely, and short enough to lose little work and to let the threads end
// together.
constexpr milliseconds short_block{20};
constexpr milliseconds long_block{80};
constexpr std::uint64_t most_rows_in_a_block = 1024;
constexpr std::size_t blocks_ahead_for_each_job = 16;
constexpr milliseconds patience{100};

std::uint64_t fitting_rows(std::uint64_t rows, Clock::duration taken) {
  if (taken < short_block) return std::min(2 * rows, most_rows_in_a_block);
  return taken > long_block ? std::max<std::uint64_t>(rows / 2, 1) : rows;
}

// Threads that compute blocks until there are no more; the destructor joins them.
class Workers {
 public:
  Workers(const Rows& rows, Blocks& blocks, unsigned jobs) : rows_(rows), blocks_(blocks) {
    try {
      for (unsigned i = 0; i < jobs; ++i) {
        threads_.emplace_back([this, limits = active_limits()] {
          const LimitScope outer(limits), scope(Limits{.stop = [this] { return stopping_.load(); }});
          work();
        });
      }
    } catch (...) {
      stop();  // the threads that were started would otherwise wait forever
      throw;
    }
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers() { stop(); }

  void stop() {
    stopping_ = true;
    blocks_.stop();
    threads_.clear();  // joins the threads
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
      throw;  // the thread is being cancelled; the work did not fail
    } catch (...) {
      blocks_.fail(std::current_exception());
    }
  }

  void fill(Block& block, Configuration& configuration) const {
    const std::uint64_t asked = block.rows;
    for (block.rows = 0; block.rows < asked && !stopping_.load(std::memory_order_relaxed); ++block.rows) {
      const std::size_t length = block.text.size();
      const bool is_answered = rows_.append(block.text, block.first + block.rows, configuration);
      if (stopping_) {  // the row may have been interrupted, and is computed again by whoever resumes
        block.text.resize(length);
        return;
      }
      if (!is_answered) ++block.unanswered;
    }
  }

  const Rows& rows_;
  Blocks& blocks_;
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace
}  // namespace run_file

std::optional<Block> Blocks::begin(std::uint64_t most_rows) {
  std::unique_lock lock(guard_);
  room_.wait(lock, [&] { return stopped_ || next_row_ == end_ || begun_.size() < ahead_; });
  if (stopped_ || next_row_ == end_) return std::nullopt;
  // Blocks get shorter towards the end, so that the threads end together.
  const std::uint64_t share = std::max<std::uint64_t>((end_ - next_row_) / ahead_, 1);
  const Block block{.first = next_row_, .rows = std::min(most_rows, share)};
  next_row_ += block.rows;
  begun_.push_back({block.first});
  return block;
}

void Blocks::deliver(Block block) {
  {
    const std::lock_guard lock(guard_);
    const auto mine =
        std::find_if(begun_.begin(), begun_.end(), [&](const Begun& begun) { return begun.first == block.first; });
    mine->made = std::move(block);
    if (mine != begun_.begin()) return;
  }
  ready_.notify_one();
}

void Blocks::fail(std::exception_ptr failure) {
  {
    const std::lock_guard lock(guard_);
    if (!failure_) failure_ = std::move(failure);
  }
  ready_.notify_one();
}

std::optional<Block> Blocks::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(guard_);
  const auto there_is = [&] { return failure_ || (!begun_.empty() && begun_.front().made); };
  if (!ready_.wait_for(lock, patience, there_is)) return std::nullopt;
  if (failure_) std::rethrow_exception(failure_);
  Block block = *std::move(begun_.front().made);
  begun_.pop_front();
  lock.unlock();
  room_.notify_one();
  return block;
}

void Blocks::stop() {
  {
    const std::lock_guard lock(guard_);
    stopped_ = true;
  }
  room_.notify_all();
}

std::uint64_t run(const Rows& rows, const RunOptions& options, const std::function<void(const Block&)>& write,
                  const std::function<bool()>& go_on) {
  std::uint64_t done = options.first;
  Blocks blocks(done, rows.grid().size, run_file::blocks_ahead_for_each_job * options.jobs);
  run_file::Workers workers(rows, blocks, options.jobs);
  const auto write_next = [&](milliseconds wait) {
    const auto block = blocks.take(wait);
    // A block that was cut short leaves a gap: nothing after it is in order.
    if (!block || block->first != done) return false;
    write(*block);
    done += block->rows;
    return true;
  };
  while (done < rows.grid().size && go_on()) write_next(run_file::patience);
  workers.stop();
  while (write_next(milliseconds(0))) {
  }
  return done;
}

}  // namespace renyi::api::sweep
