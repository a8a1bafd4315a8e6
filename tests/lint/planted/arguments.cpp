// What is handed to a function, or comes back from it.
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace arguments {

void scale(double factor, int times);

// bugprone-argument-comment
void names_another_parameter() { scale(/*times=*/2.0, 1); }

// bugprone-bad-signal-to-kill-thread
int ends_the_process(pthread_t thread) { return pthread_kill(thread, SIGTERM); }

// bugprone-bool-pointer-implicit-conversion
int asks_the_pointer(const bool* is_set) {
  if (is_set) {
    return 1;
  }
  return 0;
}

// bugprone-fold-init-type
double adds_integers(const std::vector<double>& terms) { return std::accumulate(terms.begin(), terms.end(), 0); }

// bugprone-inaccurate-erase
void erases_one(std::vector<int>& terms) { terms.erase(std::remove(terms.begin(), terms.end(), 0)); }

// bugprone-move-forwarding-reference
template <class T>
void takes_what_was_lent(std::vector<T>& terms, T&& term) {
  terms.push_back(std::move(term));
}

// bugprone-posix-return
bool waits_for_a_negative_error(pthread_t thread) { return pthread_join(thread, nullptr) < 0; }

// bugprone-spuriously-wake-up-functions
void wakes_too_early(std::condition_variable& changed, std::mutex& mutex, const bool& ready) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!ready) {
    changed.wait(lock);
  }
}

// bugprone-swapped-arguments
void swaps(int times, double factor) { scale(times, factor); }

// bugprone-unused-raii
void locks_for_nothing(std::mutex& mutex) {
  std::lock_guard<std::mutex>{mutex};
  scale(2.0, 1);
}

// bugprone-unused-return-value
void removes_nothing(std::vector<int>& terms) { std::remove(terms.begin(), terms.end(), 0); }

// bugprone-use-after-move
std::size_t counts_what_is_gone(std::vector<int> terms, std::vector<int>& sink) {
  sink = std::move(terms);
  return terms.size();
}

}  // namespace arguments
