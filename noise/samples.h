// The randomness of samples: which records take part, in which step, in which order (docs/math/noise-choices.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/bits/bits.h"
#include "noise/exact/uniform.h"
#include "noise/uniform_integer.h"

namespace renyi::noise {

// Selection sampling: record i is taken with probability (records still needed)/(records still left), given what was
// taken before it. Its time and its addresses do not depend on the sample. sample_size <= out.size().
template <WordSource Source>
void take_fixed_size(Source& source, std::uint64_t sample_size, std::span<std::uint8_t> out) {
  std::uint64_t needed = sample_size, left = out.size();
  for (std::uint8_t& taken : out) {
    const bool take = is_below_quotient(source, needed, left);
    taken = static_cast<std::uint8_t>(take);
    needed -= static_cast<std::uint64_t>(take);
    --left;
  }
}

// For each record one of 0, ..., steps - 1.
template <WordSource Source>
void allocate(Source& source, std::uint64_t steps, std::span<std::uint64_t> out) {
  for (std::uint64_t& step : out) step = uniform_below(source, steps);
}

// The Fisher-Yates shuffle. The places that it swaps depend on the permutation: who can watch the addresses of this
// process, by its caches for example, may learn the permutation (docs/math/noise-choices.md).
template <WordSource Source>
void permute(Source& source, std::span<std::uint64_t> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = i;
  for (std::size_t left = out.size(); left > 1; --left) {
    std::size_t place = uniform_below(source, left);
    reveal(&place, sizeof place);
    std::swap(out[place], out[left - 1]);
  }
}

}  // namespace renyi::noise
