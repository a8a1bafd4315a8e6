// Overwriting of memory that the compiler may not leave out.
#pragma once

#include <cstddef>
#include <cstring>

namespace renyi::noise {

inline void wipe(void* memory, std::size_t bytes) {
  std::memset(memory, 0, bytes);
  // For all that the compiler knows, this reads the memory.
  asm volatile("" : : "r"(memory) : "memory");
}

}  // namespace renyi::noise
