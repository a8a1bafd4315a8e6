// Marks the few bits of information about random numbers that the program's time may depend on.
//
// What was drawn must not decide a branch or an address, except where one of these says so: whether an attempt was
// accepted, which is independent of the value that is accepted in the end, and whether a tier of fixed cost decided,
// whose probability is stated (docs/math/noise.md). tests/noise/secrets runs the samplers under valgrind with their
// random words marked as undefined, and these functions mark what they reveal as defined.
#pragma once

#include <cstddef>

#ifdef RENYI_WATCH_SECRETS
#include <valgrind/memcheck.h>
#endif

namespace renyi::noise {

inline void reveal([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef RENYI_WATCH_SECRETS
  VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
#endif
}

[[nodiscard]] inline bool revealed(bool value) {
  reveal(&value, sizeof value);
  return value;
}

}  // namespace renyi::noise
