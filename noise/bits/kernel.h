// Random bytes of the kernel.
#pragma once

#include <cstddef>
#include <span>

namespace renyi::noise {

// Fills all of `bytes` by getrandom(2), which waits until the kernel has been seeded. Throws Unsupported, with the
// field "entropy" and the cause, if the kernel gives none; `bytes` are zero then.
void fill_from_kernel(std::span<std::byte> bytes);

}  // namespace renyi::noise
