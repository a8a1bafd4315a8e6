// The finest clock there is, and a core of our own.
#pragma once

#include <sched.h>

#include <chrono>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace bench {

// Cycles of the reference clock where there is one. Nothing is reordered across it.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  unsigned core = 0;
  _mm_lfence();
  const std::uint64_t now = __rdtscp(&core);
  _mm_lfence();
  return now;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

inline double nanoseconds_of_tick() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  const std::uint64_t first = ticks();
  while (clock::now() - start < std::chrono::milliseconds(100)) {
  }
  const std::uint64_t last = ticks();
  return 1e9 * std::chrono::duration<double>(clock::now() - start).count() / static_cast<double>(last - first);
}

inline void stay_on_one_core() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (std::size_t core = CPU_SETSIZE; core-- > 0;) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_ZERO(&allowed);
    CPU_SET(core, &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
    return;
  }
}

}  // namespace bench
