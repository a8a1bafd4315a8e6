#include "apps/server/workers.h"

#include <utility>

namespace renyi::server {

Workers::Workers(std::size_t threads, std::size_t longest_queue) : longest_(longest_queue) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

bool Workers::add(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || queue_.size() >= longest_) return false;
    queue_.push_back(std::move(task));
  }
  changed_.notify_one();
  return true;
}

std::size_t Workers::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Workers::work() {
  while (true) {
    std::function<void()> task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ended_ || !queue_.empty(); });
      if (ended_) return;
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    task();
  }
}

}  // namespace renyi::server
