// Runs the library as it is shipped under valgrind: with random words and data marked as undefined, so that memcheck
// reports every branch and every address that depends on them, or with fixed words, so that callgrind counts
// instructions. The library is linked as it is; valgrind calls the functions below in the place of three of its own.
//
// Usage: secrets watch | watch-baseline | leak-branch | leak-address | names | count NAME SEED
#include <valgrind/callgrind.h>
#include <valgrind/memcheck.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "noise/secrets/watched.h"
#include "simd/dispatch.h"

namespace renyi::noise {

namespace secrets_file {
namespace {

// Kernels for the best instruction set that valgrind can run, or for every processor of the kind.
simd::Target best_target = simd::Target::avx2;

// Words that were made before, so that only the sampler is counted.
struct Words {
  std::vector<std::uint64_t> words;
  std::size_t next = 0;
  bool is_hidden = false;
};
Words& prepared() {
  static Words words;
  return words;
}

void prepare(std::uint64_t seed, bool is_hidden) {
  Words& words = prepared();
  std::mt19937_64 random(seed);
  words.words.resize(std::size_t{1} << 17U);
  for (std::uint64_t& word : words.words) word = random();
  words.next = 0;
  words.is_hidden = is_hidden;
}

class UnderValgrind : public Watch {
 public:
  explicit UnderValgrind(bool is_hidden, bool is_counted) : is_hidden_(is_hidden), is_counted_(is_counted) {}
  void hide(const void* memory, std::size_t bytes) override {
    if (is_hidden_) VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
  }
  void toggle() override {
    if (is_counted_) CALLGRIND_TOGGLE_COLLECT;
  }

 private:
  bool is_hidden_, is_counted_;
};

// A mistake that must be reported.
int leak(bool by_address) {
  std::vector<std::uint64_t> words{1, 2}, table(256);
  UnderValgrind(true, false).Watch::hide(words);
  volatile std::uint64_t seen = 0;
  if (by_address)
    seen = table[words[0] >> 56U];
  else if (words[0] > words[1])
    seen = 1;
  return seen > 1 ? 1 : 0;
}

// A library that took no words from here would have none that are hidden.
void check_words(const Watched& watched) {
  if ((prepared().next > 0) == watched.draws) return;
  std::cerr << "secrets: " << watched.name << " took " << prepared().next << " words: not under valgrind?\n";
  std::exit(2);
}

int watch() {
  for (const Watched& watched : all_watched()) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      prepare(seed, true);
      UnderValgrind valgrind(true, false);
      watched.call(valgrind, seed);
      check_words(watched);
    }
    std::cout << watched.name << "\n";
  }
  return 0;
}

// Tables that a process makes once are made by a first call, which is not counted.
int count(const Watched& watched, std::uint64_t seed) {
  for (const bool is_counted : {false, true}) {
    prepare(seed, false);
    UnderValgrind valgrind(false, is_counted);
    watched.call(valgrind, seed);
    check_words(watched);
  }
  std::cout << prepared().next << "\n";
  return 0;
}

int run(const std::vector<std::string>& arguments) {
  const std::string verb = arguments.empty() ? "" : arguments[0];
  if (verb == "leak-branch") return leak(false);
  if (verb == "leak-address") return leak(true);
  if (verb == "watch") return watch();
  if (verb == "watch-baseline") {
    best_target = simd::Target::baseline;
    return watch();
  }
  for (const Watched& watched : all_watched()) {
    if (verb == "names" && watched.has_equal_instructions) std::cout << watched.name << "\n";
    if (verb == "count" && arguments.size() == 3 && arguments[1] == watched.name)
      return count(watched, std::strtoull(arguments[2].c_str(), nullptr, 10));
  }
  if (verb == "names") return 0;
  std::cerr << "usage: secrets watch | watch-baseline | leak-branch | leak-address | names | count NAME SEED\n";
  return 2;
}

}  // namespace
}  // namespace secrets_file

}  // namespace renyi::noise

extern "C" {

// In the place of renyi::noise::reveal(void const*, unsigned long).
void I_WRAP_SONAME_FNNAME_ZU(NONE, _ZN5renyi5noise6revealEPKvm)(const void* memory, std::size_t bytes);
void I_WRAP_SONAME_FNNAME_ZU(NONE, _ZN5renyi5noise6revealEPKvm)(const void* memory, std::size_t bytes) {
  VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
}

// In the place of renyi::simd::best_target().
renyi::simd::Target I_WRAP_SONAME_FNNAME_ZU(NONE, _ZN5renyi4simd11best_targetEv)();
renyi::simd::Target I_WRAP_SONAME_FNNAME_ZU(NONE, _ZN5renyi4simd11best_targetEv)() {
  return renyi::noise::secrets_file::best_target;
}

// In the place of renyi::noise::Generator::fill(std::span<unsigned long>).
void I_WRAP_SONAME_FNNAME_ZU(NONE,
                             _ZN5renyi5noise9Generator4fillESt4spanImLm18446744073709551615EE)(void* generator,
                                                                                               std::uint64_t* words,
                                                                                               std::size_t count);
void I_WRAP_SONAME_FNNAME_ZU(NONE,
                             _ZN5renyi5noise9Generator4fillESt4spanImLm18446744073709551615EE)(void* /*generator*/,
                                                                                               std::uint64_t* words,
                                                                                               std::size_t count) {
  auto& prepared = renyi::noise::secrets_file::prepared();
  if (prepared.next + count > prepared.words.size()) std::abort();
  std::copy_n(prepared.words.data() + prepared.next, count, words);
  prepared.next += count;
  if (prepared.is_hidden) VALGRIND_MAKE_MEM_UNDEFINED(words, count * sizeof *words);
}

}  // extern "C"

int main(int argc, char** argv) {
  return renyi::noise::secrets_file::run(std::vector<std::string>(argv + 1, argv + argc));
}
