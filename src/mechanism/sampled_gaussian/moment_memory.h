// The last few real points of a curve: a search ends where the next one begins, and a line starts from K at its place.
#pragma once

#include <array>
#include <mutex>
#include <optional>

#include "renyi/curve.h"

namespace renyi::sampled_gaussian {

// Safe to use from several threads.
class MomentMemory {
 public:
  std::optional<LogMoment> find(double z, Direction direction) const {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.z == z && entry.direction == direction) return entry.k;
    }
    return std::nullopt;
  }

  void keep(double z, Direction direction, const LogMoment& k) {
    const std::lock_guard lock(mutex_);
    entries_[next_] = {z, direction, k};
    next_ = (next_ + 1) % entries_.size();
  }

 private:
  struct Entry {
    double z = -1;  // no order
    Direction direction = Direction::remove;
    LogMoment k{};
  };
  mutable std::mutex mutex_;
  std::array<Entry, 8> entries_{};
  std::size_t next_ = 0;
};

}  // namespace renyi::sampled_gaussian
