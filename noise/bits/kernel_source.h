// The system call behind all random bits, as a pointer that tests replace to see what a failure does.
//
// Only noise/bits/kernel.cpp and tests may include this file, which tools/check-layers checks: no flag, environment
// variable or argument of anything that is shipped reaches the pointer.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>

namespace renyi::noise {

// Like getrandom(2) without flags: returns how many bytes it wrote, or -1 and sets errno.
using KernelSource = ssize_t (*)(void* buffer, std::size_t size);

extern std::atomic<KernelSource> kernel_source;

}  // namespace renyi::noise
