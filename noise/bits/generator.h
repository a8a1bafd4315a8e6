// The generator of random words: AES-256 in counter mode with fast key erasure, keyed by the kernel
// (docs/math/random-bits.md). There is one for each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "noise/bits/bits.h"
#include "noise/bits/cipher.h"

namespace renyi::noise {

class Generator : public Bits {
 public:
  // A refill makes at most 64 KiB: the next key and counter, and these words.
  static constexpr std::size_t largest_refill = (65536 - sizeof(CipherKey)) / sizeof(std::uint64_t);
  static constexpr std::size_t smallest_refill = 8;

  // All that is secret, in pages of its own, which dumps leave out and which the kernel sets to zero in a child
  // process.
  struct State {
    // Zero means that there is no key, which is so in a child process, too.
    std::uint32_t stage;
    // The words that were not handed out yet are those from `begin` to `end`. All others are zero.
    std::size_t begin;
    std::size_t end;
    std::size_t next_refill;
    CipherKey key;
    std::array<std::byte, 32> fresh;
    alignas(64) std::array<std::uint64_t, largest_refill> words;
  };

  // Throws Unsupported if there is no such memory, or no cipher.
  Generator();
  // Wipes and returns the memory.
  ~Generator() override;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  // Drops the words that are left and mixes 32 bytes of the kernel into the key. The next refill will make `words`
  // words, within the limits above; each one after it twice as many as the one before.
  void start(std::size_t words);
  // Throws Unsupported if there are no bits; the words hold nothing that was generated then. After a failure there is
  // no key, and so nothing that could be handed out, until the kernel gives bits again. Not for signal handlers.
  void fill(std::span<std::uint64_t> words) override;

  [[nodiscard]] const State& state() const { return *state_; }

 private:
  void forget() noexcept;
  void mix_fresh_bits();
  void take(std::span<std::uint64_t> words);
  void generate(std::span<std::uint64_t> words);

  Cipher cipher_;
  State* state_;
};

}  // namespace renyi::noise
