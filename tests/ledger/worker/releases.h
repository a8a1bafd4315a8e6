// Releases of the worker, which it repeats with the same key if it was killed before they ended.
#pragma once

#include <cstdint>
#include <string>

namespace renyi::test {

// Completes the releases of the journal, then makes so many new ones, with output files in the directory.
void release_outputs(const std::string& location, const std::string& path, std::uint64_t seed, int count,
                     const std::string& directory);

}  // namespace renyi::test
