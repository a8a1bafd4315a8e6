// Replaces the kernel's random bytes while it lives, so that tests know the key or see a failure.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "noise/bits/kernel_source.h"

namespace renyi::test {

class KernelStub {
 public:
  explicit KernelStub(noise::KernelSource source) : before_(noise::kernel_source.exchange(source)) {}
  ~KernelStub() { noise::kernel_source.store(before_); }
  KernelStub(const KernelStub&) = delete;
  KernelStub& operator=(const KernelStub&) = delete;

 private:
  noise::KernelSource before_;
};

// Byte i of every answer of a kernel whose bits are known.
inline std::uint8_t known_byte(std::size_t i) { return static_cast<std::uint8_t>(i * i * 41 + 7 * i + 129); }
inline ssize_t known_bytes(void* buffer, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) static_cast<std::uint8_t*>(buffer)[i] = known_byte(i);
  return static_cast<ssize_t>(size);
}

inline ssize_t no_bytes([[maybe_unused]] void* buffer, [[maybe_unused]] std::size_t size) {
  errno = EIO;
  return -1;
}

}  // namespace renyi::test
