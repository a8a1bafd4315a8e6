// Threads that answer requests: a fixed number of them, and a queue that ends somewhere.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace renyi::server {

class Workers {
 public:
  Workers(std::size_t threads, std::size_t longest_queue);
  // Finishes what has begun and drops what has not.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Returns false if the queue is full. The task must not throw.
  bool add(std::function<void()> task);
  [[nodiscard]] std::size_t waiting() const;

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> queue_;
  std::size_t longest_;
  bool ended_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace renyi::server
