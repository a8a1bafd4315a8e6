// Spreads independent pieces of work over the cores.
#pragma once

#include <cstddef>

#ifndef __EMSCRIPTEN__
#include <cxxabi.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "renyi/limits.h"
#endif

namespace renyi::api {

#ifdef __EMSCRIPTEN__

// WebAssembly has one thread: a plain loop.
template <class Work, class Pause>
void for_each_index(std::size_t n, std::size_t run, const Work& work, const Pause& pause) {
  for (std::size_t i = 0; i < n; ++i) {
    if (i % run == 0) pause();
    work(i);
  }
}

#else

// Keeps the failure with the smallest index, which a plain loop would meet first.
class FirstFailure {
 public:
  // Call it in an exception handler.
  void note(std::size_t index) {
    const std::lock_guard lock(guard_);
    if (failure_ && index >= index_) return;
    index_ = index;
    failure_ = std::current_exception();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex guard_;
  std::size_t index_ = 0;
  std::exception_ptr failure_;
};

// Calls work(i) for every i below n, in runs of neighbouring indices, and pause() between the runs of the calling
// thread. Throws what the least failing index threw, or what pause did. The limits of the calling thread hold for all.
template <class Work, class Pause>
void for_each_index(std::size_t n, std::size_t run, const Work& work, const Pause& pause) {
  std::atomic<std::size_t> next{0};
  FirstFailure failure;
  const auto worker = [&](const auto& before_each_run) {
    for (std::size_t begin = next.fetch_add(run); begin < n; begin = next.fetch_add(run)) {
      std::size_t i = begin;
      try {
        before_each_run();
        for (const std::size_t end = std::min(n, begin + run); i < end; ++i) work(i);
      } catch (const abi::__forced_unwind&) {
        throw;  // the thread is being cancelled; the work did not fail
      } catch (...) {
        next = n;  // no further runs start; those under way have lower indices and continue
        failure.note(i);
      }
    }
  };
  {
    const std::size_t runs = (n + run - 1) / run;
    std::vector<std::jthread> helpers;  // joined at the end of the block
    for (std::size_t t = 1; t < std::min<std::size_t>(runs, std::thread::hardware_concurrency()); ++t) {
      helpers.emplace_back([&, limits = active_limits()] {
        const LimitScope scope(limits);
        worker([] {});
      });
    }
    worker(pause);
  }
  failure.rethrow();
}

#endif

}  // namespace renyi::api
