#include "api/sweep/blocks.h"

#include <algorithm>

namespace renyi::api::sweep {

std::optional<Block> Blocks::begin(std::uint64_t most_rows) {
  std::unique_lock lock(guard_);
  room_.wait(lock, [&] { return stopped_ || next_row_ == end_ || begun_.size() < ahead_; });
  if (stopped_ || next_row_ == end_) return std::nullopt;
  // Shorter towards the end, so that the threads end together.
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

}  // namespace renyi::api::sweep
