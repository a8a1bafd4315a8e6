#include "crosscheck/watchdog.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace renyi::crosscheck {

Watchdog::Watchdog(std::chrono::seconds patience) : patience_(patience), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Watchdog::wait_for(std::string question) {
  {
    const std::lock_guard lock(mutex_);
    question_ = std::move(question);
    ++number_;
  }
  changed_.notify_one();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!done_) {
    const unsigned long number = number_;
    const bool answered =
        changed_.wait_for(lock, patience_, [&] { return done_ || number_ != number || question_.empty(); });
    if (answered) {
      // Nothing is asked: no need to look until something is.
      changed_.wait(lock, [&] { return done_ || !question_.empty(); });
      continue;
    }
    fmt::print("NO ANSWER in {} s: {}\n", patience_.count(), question_);
    std::fflush(stdout);
    std::_Exit(1);
  }
}

}  // namespace renyi::crosscheck
