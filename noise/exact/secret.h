// Keeps secrets out of the program's time: values of which the compiler knows nothing, and the few bits of information
// that branches may depend on.
//
// What was drawn, and the data, must not decide a branch or an address, except where `reveal` says so: whether an
// attempt was accepted, which is independent of the value that is accepted in the end, and whether a tier of fixed cost
// decided, whose probability is stated (docs/math/noise.md, "Time"). A compiler that knew where a value came from could
// make branches of masks and of conditions that come together: `below | above` of two branches on `below`. So neither
// the condition of a mask nor what is revealed has an origin that it can see.
//
// tests/noise/secrets runs the library as it is shipped under valgrind, with random words and data marked as undefined,
// and takes the place of `reveal` there to mark what it reveals as defined.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace renyi::noise {

// The same value. For all that the compiler knows, it is another one.
inline std::uint64_t opaque(std::uint64_t value) {
  asm volatile("" : "+r"(value));
  return value;
}

// All ones where the condition holds, and otherwise zero.
inline std::uint64_t mask_of(bool condition) { return -opaque(static_cast<std::uint64_t>(condition)); }

// From here on, branches may depend on this memory. For all that the compiler knows, it is written.
void reveal(const void* memory, std::size_t bytes);

[[nodiscard]] inline bool revealed(bool value) {
  reveal(&value, sizeof value);
  return value;
}

// Return `yes` where the condition holds and `no` otherwise, without a branch.
inline std::uint64_t selected(bool condition, std::uint64_t yes, std::uint64_t no) {
  const std::uint64_t mask = mask_of(condition);
  return (yes & mask) | (no & ~mask);
}
inline double selected(bool condition, double yes, double no) {
  return std::bit_cast<double>(
      selected(condition, std::bit_cast<std::uint64_t>(yes), std::bit_cast<std::uint64_t>(no)));
}

// The number within [-range, range]; NaN becomes 0.
inline std::int64_t limited(std::int64_t number, std::int64_t range) {
  const auto end = static_cast<std::uint64_t>(range);
  const std::uint64_t low = selected(number < -range, -end, static_cast<std::uint64_t>(number));
  return static_cast<std::int64_t>(selected(number > range, end, low));
}
inline double limited(double number, double range) {
  number = selected(number == number, number, 0.0);
  number = selected(number > range, range, number);
  return selected(number < -range, -range, number);
}

}  // namespace renyi::noise
