#include "noise/bits/generator.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>

#include "noise/bits/kernel.h"
#include "noise/bits/wipe.h"
#include "renyi/error.h"

namespace renyi::noise {
namespace generator_file {
namespace {

// The stages of a state. A process that is forked at any moment begins with `empty`.
constexpr std::uint32_t empty = 0;
constexpr std::uint32_t mixing = 1;
constexpr std::uint32_t ready = 2;

// Above this many words it is faster to generate them in the place where they are wanted than to copy and wipe them.
constexpr std::size_t directly = 1024;

[[noreturn]] void refuse(const std::string& why) {
  throw Unsupported("entropy", why,
                    "nothing was drawn; use Linux 4.14 or newer, and a filter of system calls that allows them");
}

// Returns pages of zeros. They are refused if the kernel cannot wipe them in child processes: what a process can find
// out by itself, such as its number, does not tell all children from their parents.
void* private_pages(std::size_t size) {
  void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    refuse("there is no memory for random bits: mmap: " + std::generic_category().message(errno));
  const char* failed = nullptr;
  if (madvise(pages, size, MADV_WIPEONFORK) != 0) failed = "cannot be wiped in forked processes: MADV_WIPEONFORK: ";
  if (failed == nullptr && madvise(pages, size, MADV_DONTDUMP) != 0)
    failed = "cannot be kept out of dumps: MADV_DONTDUMP: ";
  if (failed == nullptr) return pages;
  const std::string cause = std::generic_category().message(errno);
  munmap(pages, size);
  refuse("the memory for random bits " + std::string(failed) + cause);
}

// A signal handler may fork between any two instructions, and the child goes on with pages of zeros.
std::atomic_ref<std::uint32_t> stage_of(Generator::State& state) { return std::atomic_ref(state.stage); }

}  // namespace
}  // namespace generator_file

// The pages are left as they are, zero, as a forked process finds them.
Generator::Generator() : state_(static_cast<State*>(generator_file::private_pages(sizeof(State)))) {}

Generator::~Generator() {
  wipe(state_, sizeof(State));
  munmap(state_, sizeof(State));
}

void Generator::forget() noexcept {
  generator_file::stage_of(*state_).store(generator_file::empty);
  wipe(state_->words.data(), sizeof state_->words);
  wipe(&state_->key, sizeof state_->key);
  wipe(state_->fresh.data(), sizeof state_->fresh);
  state_->begin = state_->end = 0;
}

// The key is uniform and unknown afterwards if the bytes of the kernel are, or if it was so before.
void Generator::mix_fresh_bits() {
  State& state = *state_;
  std::uint32_t stage = generator_file::mixing;
  do {
    stage = generator_file::mixing;
    generator_file::stage_of(state).store(stage);
    try {
      fill_from_kernel(state.fresh);
    } catch (...) {
      forget();
      throw;
    }
    for (std::size_t i = 0; i < state.fresh.size(); ++i) state.key.key[i] ^= state.fresh[i];
    wipe(state.fresh.data(), state.fresh.size());
    // In a process that was forked meanwhile the key may be zero: begin again.
  } while (!generator_file::stage_of(state).compare_exchange_strong(stage, generator_file::ready));
}

void Generator::start(std::size_t words) {
  State& state = *state_;
  wipe(state.words.data() + state.begin, (state.end - state.begin) * sizeof(std::uint64_t));
  state.begin = state.end = 0;
  mix_fresh_bits();
  state.next_refill = std::clamp(words, smallest_refill, largest_refill);
}

void Generator::fill(std::span<std::uint64_t> words) {
  State& state = *state_;
  do {
    if (generator_file::stage_of(state).load() != generator_file::ready) [[unlikely]] {
      forget();
      mix_fresh_bits();
    }
    if (words.size() <= state.end - state.begin) [[likely]] {
      take(words);
    } else {
      generate(words);
    }
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // In a process that was forked meanwhile some of the words may be those of its parent, or zero: begin again.
  } while (generator_file::stage_of(state).load() != generator_file::ready);
}

void Generator::take(std::span<std::uint64_t> words) {
  State& state = *state_;
  std::uint64_t* from = state.words.data() + state.begin;
  if (words.size() == 1) {
    words[0] = *from;
    wipe(from, sizeof *from);
  } else if (!words.empty()) {
    std::memcpy(words.data(), from, words.size_bytes());
    wipe(from, words.size_bytes());
  }
  state.begin += words.size();
}

void Generator::generate(std::span<std::uint64_t> words) {
  State& state = *state_;
  std::span<std::uint64_t> rest = words;
  const std::size_t left = state.end - state.begin;
  take(rest.first(left));
  rest = rest.subspan(left);
  // The buffer is empty from here on, all zero, and serves as the zeros that the cipher turns into its stream.
  const auto* zeros = reinterpret_cast<const std::byte*>(state.words.data());
  while (!rest.empty()) {
    state.begin = state.end = 0;
    // Large fills are divided evenly.
    const std::size_t pieces = (rest.size() + largest_refill - 1) / largest_refill;
    const std::size_t piece = (rest.size() + pieces - 1) / pieces;
    const bool direct = piece >= generator_file::directly;
    const std::size_t size =
        direct ? piece : std::min(largest_refill, std::max({piece, state.next_refill, smallest_refill}));
    const std::span<std::uint64_t> target = direct ? rest.first(size) : std::span(state.words).first(size);
    if (!cipher_.stream_and_replace(state.key, std::as_writable_bytes(target), zeros)) {
      forget();
      wipe(words.data(), words.size_bytes());
      throw Unsupported("entropy", "AES-256-CTR of libcrypto failed", "nothing was drawn; check that there is memory");
    }
    if (direct) {
      rest = rest.subspan(size);
      continue;
    }
    state.end = size;
    state.next_refill = std::min(largest_refill, 2 * size);
    take(rest);
    rest = {};
  }
}

Bits& bits_for_release(std::size_t words) {
  thread_local Generator generator;
  generator.start(words);
  return generator;
}

}  // namespace renyi::noise
