// The generator of random words: its stream, that streams never meet, and what it leaves in memory.
#include "noise/bits/bits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "noise/bits/generator.h"
#include "support/drawn_words.h"
#include "support/kernel_stub.h"

namespace renyi::noise {
namespace bits_test {

using test::draw;
using test::KernelStub;
using test::known_bytes;
using test::Words;

// The stream of fast key erasure, by one call of libcrypto for each refill.
class Model {
 public:
  void mix_known_bytes() {
    for (std::size_t i = 0; i < 32; ++i) key_[i] = static_cast<std::uint8_t>(key_[i] ^ test::known_byte(i));
  }
  Words refill(std::size_t words) {
    const std::vector<std::uint8_t> zeros(48 + 8 * words);
    std::vector<std::uint8_t> stream(zeros.size());
    EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
    int written = 0;
    EXPECT_EQ(EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nullptr, key_.data(), key_.data() + 32), 1);
    EXPECT_EQ(EVP_EncryptUpdate(context, stream.data(), &written, zeros.data(), static_cast<int>(zeros.size())), 1);
    EVP_CIPHER_CTX_free(context);
    std::copy_n(stream.begin(), 48, key_.begin());
    Words made(words);
    std::memcpy(made.data(), stream.data() + 48, 8 * words);
    return made;
  }

 private:
  std::array<std::uint8_t, 48> key_{};
};

Words joined(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(Generator, IsAesInCounterModeWithFastKeyErasure) {
  const KernelStub kernel(known_bytes);
  Generator generator;
  Model model;
  generator.start(100);
  model.mix_known_bytes();
  // 100 words, then twice as many, and twice as many again: word by word and in pieces that do not fit.
  const Words expected = joined({model.refill(100), model.refill(200), model.refill(400)});
  Words drawn;
  for (int i = 0; i < 70; ++i) drawn.push_back(draw(generator, 1)[0]);
  while (drawn.size() < 700) drawn = joined({drawn, draw(generator, 70)});
  EXPECT_EQ(drawn, expected);
}

TEST(Generator, LargeFillsAreRefillsOfAtMost64KiB) {
  const KernelStub kernel(known_bytes);
  Generator generator;
  Model model;
  generator.start(1'000'000);
  model.mix_known_bytes();
  EXPECT_EQ(Generator::largest_refill, 8186U);
  const Words first = model.refill(8186);
  EXPECT_EQ(draw(generator, 10), Words(first.begin(), first.begin() + 10));
  // What is left, and 20,000 words in three pieces.
  const Words expected =
      joined({Words(first.begin() + 10, first.end()), model.refill(6667), model.refill(6667), model.refill(6666)});
  EXPECT_EQ(draw(generator, 8176 + 20'000), expected);
  EXPECT_EQ(draw(generator, 8186), model.refill(8186));
  EXPECT_EQ(draw(generator, 8187), joined({model.refill(4094), model.refill(4093)}));
}

TEST(Generator, AReleaseMixesBitsOfTheKernelIntoTheKeyAndDropsWhatIsLeft) {
  const KernelStub kernel(known_bytes);
  Generator generator;
  Model model;
  for (const std::size_t words : {std::size_t{0}, std::size_t{3}, std::size_t{9}, std::size_t{1'000'000}}) {
    generator.start(words);
    model.mix_known_bytes();
    const Words made = model.refill(std::clamp<std::size_t>(words, 8, 8186));
    EXPECT_EQ(draw(generator, 3), Words(made.begin(), made.begin() + 3));
  }
}

TEST(Generator, AnswersOfTheKernelInPiecesAreJoined) {
  const KernelStub kernel([](void* buffer, std::size_t size) -> ssize_t {
    static int calls = 0;
    if (++calls % 3 == 0) {
      errno = EINTR;
      return -1;
    }
    // Known bytes are asked for from the end that is left of 32.
    const std::size_t piece = std::min<std::size_t>(size, 5);
    for (std::size_t i = 0; i < piece; ++i) static_cast<std::uint8_t*>(buffer)[i] = test::known_byte(32 - size + i);
    return static_cast<ssize_t>(piece);
  });
  Generator generator;
  Model model;
  generator.start(8);
  model.mix_known_bytes();
  EXPECT_EQ(draw(generator, 8), model.refill(8));
}

TEST(Generator, NoWordComesTwiceInReleasesAndThreads) {
  // Each of 64-bit words at random is new with probability above 1 - 2^-32.
  std::vector<Words> drawn(4);
  std::vector<std::thread> threads;
  for (Words& words : drawn) {
    threads.emplace_back([&words] {
      for (int release = 0; release < 20; ++release) {
        Bits& bits = bits_for_release(500);
        words = joined({words, draw(bits, 100), draw(bits, 1), draw(bits, 1024)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint64_t> distinct;
  std::size_t count = 0;
  for (const Words& words : drawn) {
    distinct.insert(words.begin(), words.end());
    count += words.size();
  }
  EXPECT_EQ(count, 4U * 20 * 1125);
  EXPECT_EQ(distinct.size(), count);
}

// The lines of /proc/self/smaps about the mapping that holds the address; empty if there is none.
std::string mapping_of(const void* address) {
  std::ifstream file("/proc/self/smaps");
  std::string line;
  std::string found;
  bool here = false;
  while (std::getline(file, line)) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') {
      here = begin <= reinterpret_cast<std::uintptr_t>(address) && reinterpret_cast<std::uintptr_t>(address) < end;
    }
    if (here) found += line + "\n";
  }
  return found;
}

TEST(Generator, ItsMemoryIsLeftOutOfDumpsAndWipedInChildren) {
  const Generator generator;
  const Generator::State& state = generator.state();
  for (const void* part : {static_cast<const void*>(&state), static_cast<const void*>(&state.words.back())}) {
    EXPECT_THAT(mapping_of(part), testing::ContainsRegex("VmFlags:.* wf( |\n)"));
    EXPECT_THAT(mapping_of(part), testing::ContainsRegex("VmFlags:.* dd( |\n)"));
  }
  const int elsewhere = 0;
  EXPECT_THAT(mapping_of(&elsewhere), testing::Not(testing::ContainsRegex("VmFlags:.* (wf|dd)( |\n)")));
}

TEST(Generator, EndsWithItsThread) {
  const void* memory = nullptr;
  std::thread([&memory] {
    auto& generator = dynamic_cast<Generator&>(bits_for_release(4));
    memory = &generator.state();
    EXPECT_THAT(mapping_of(memory), testing::HasSubstr(" wf"));
  }).join();
  EXPECT_THAT(mapping_of(memory), testing::Not(testing::HasSubstr(" wf")));
}

TEST(Generator, WordsAreWipedWhenTheyAreHandedOut) {
  Generator generator;
  const Generator::State& state = generator.state();
  generator.start(1000);
  const auto all_zero_but = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < state.words.size(); ++i) {
      EXPECT_EQ(state.words[i] == 0, i < begin || i >= end) << i;
    }
  };
  all_zero_but(0, 0);
  draw(generator, 1);
  all_zero_but(1, 1000);
  draw(generator, 500);
  all_zero_but(501, 1000);
  generator.start(1000);
  all_zero_but(0, 0);
  draw(generator, 999);
  all_zero_but(999, 1000);
  draw(generator, 5000);
  all_zero_but(0, 0);
}

// Sanitizers keep memory of their own, among it what was freed.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// How often the known bytes, which were a key, stand in the memory that this process can write.
int copies_of_known_key() {
  std::ifstream maps("/proc/self/maps");
  int copies = 0;
  std::string line;
  while (std::getline(maps, line)) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string rights;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> rights;
    if (!rights.starts_with("rw")) continue;
    for (std::uintptr_t place = begin; place + 32 <= end; place += 8) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the places are those that the kernel names
      const auto* bytes = reinterpret_cast<const volatile std::uint8_t*>(place);
      std::size_t same = 0;
      while (same < 32 && bytes[same] == test::known_byte(same)) ++same;
      if (same == 32) ++copies;
    }
  }
  return copies;
}

TEST(Generator, AUsedKeyIsNowhereInMemory) {
  const KernelStub kernel(known_bytes);
  Generator generator;
  generator.start(8);
  EXPECT_EQ(copies_of_known_key(), 1);  // the key of the generator: the search does find it
  draw(generator, 1);
  EXPECT_EQ(copies_of_known_key(), 0);
}
#endif

}  // namespace bits_test
}  // namespace renyi::noise
