// Forks and failures: random words never come twice, and never without the kernel.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "noise/bits/bits.h"
#include "noise/bits/generator.h"
#include "renyi/error.h"
#include "support/child_process.h"
#include "support/drawn_words.h"
#include "support/kernel_stub.h"

namespace renyi::noise {
namespace entropy_test {

using test::draw;
using test::in_child;
using test::KernelStub;
using test::Words;

Words from_text(const std::string& text) {
  Words words(text.size() / sizeof(std::uint64_t));
  if (text.size() % sizeof(std::uint64_t) == 0) std::memcpy(words.data(), text.data(), text.size());
  return words;
}
std::string as_text(const Words& words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * sizeof(std::uint64_t)};
}

bool have_common_word(Words a, Words b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  Words common;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return !common.empty();
}

TEST(Fork, InTheMiddleOfABufferTheStreamsPart) {
  for (const std::size_t piece : {1, 7, 3000}) {
    Bits& bits = bits_for_release(2000);
    draw(bits, 10);
    const auto drawn = [&] {
      Words words;
      while (words.size() < 6000) {
        const Words more = draw(bits, piece);
        words.insert(words.end(), more.begin(), more.end());
      }
      return words;
    };
    const auto text_drawn = [&] { return as_text(drawn()); };
    const Words first = from_text(in_child(text_drawn));
    // A child that draws, and then has a child itself.
    const Words second = from_text(in_child([&] { return in_child(text_drawn) + as_text(drawn()); }));
    const Words parent = drawn();
    ASSERT_GE(first.size(), 6000U);
    ASSERT_GE(second.size(), 12000U);
    EXPECT_FALSE(have_common_word(first, parent)) << piece;
    EXPECT_FALSE(have_common_word(second, parent)) << piece;
    EXPECT_FALSE(have_common_word(first, second)) << piece;
    // No word is zero, and none of a process comes twice.
    for (Words words : {first, second, parent}) {
      std::sort(words.begin(), words.end());
      EXPECT_NE(words.front(), 0U);
      EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
    }
  }
}

TEST(Fork, AChildTakesItsKeyFromTheKernel) {
  Bits& bits = bits_for_release(100);
  draw(bits, 10);
  EXPECT_EQ(in_child([&]() -> std::string {
              const KernelStub kernel(test::no_bytes);
              Words words(3, 42);
              try {
                bits.fill(words);
              } catch (const Unsupported& error) {
                return words == Words(3, 42) ? error.path() : "something was written";
              }
              return "words without the kernel";
            }),
            "entropy");
}

TEST(Entropy, WithoutItNothingIsWrittenAndNothingOldIsHandedOut) {
  Generator generator;
  generator.start(1000);
  draw(generator, 10);
  {
    const KernelStub kernel(test::no_bytes);
    try {
      generator.start(1000);
      FAIL() << "started without the kernel";
    } catch (const Unsupported& error) {
      EXPECT_EQ(error.path(), "entropy");
      EXPECT_THAT(error.why(), testing::HasSubstr("getrandom: Input/output error"));
    }
    EXPECT_EQ(generator.state().stage, 0U);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&generator.state().key);
    EXPECT_TRUE(std::all_of(bytes, bytes + sizeof(CipherKey), [](unsigned char byte) { return byte == 0; }));
    for (const std::size_t count : {1, 100, 20'000}) {
      Words words(count, 42);
      EXPECT_THROW(generator.fill(words), Unsupported);
      EXPECT_EQ(words, Words(count, 42));
    }
    EXPECT_THROW(bits_for_release(4), Unsupported);
  }
  EXPECT_NE(draw(generator, 1), Words(1, 0));
  EXPECT_NE(draw(bits_for_release(4), 1), Words(1, 0));
}

TEST(Entropy, AKernelThatCountsWronglyIsNotBelieved) {
  Generator generator;
  for (const KernelSource source :
       {KernelSource([](void*, std::size_t) -> ssize_t { return 0; }),
        KernelSource([](void*, std::size_t size) { return static_cast<ssize_t>(size + 1); })}) {
    const KernelStub kernel(source);
    EXPECT_THROW(generator.start(4), Unsupported);
  }
}

// What a new release and an old supply say after the kernel forbade a system call.
std::string without_system_call(unsigned number, unsigned error) {
  return in_child([&]() -> std::string {
    Bits& bits = bits_for_release(100);
    draw(bits, 10);
    if (!test::forbid_system_call(number, error)) return "no filter";
    Words words(3, 42);
    std::string why;
    try {
      bits_for_release(100).fill(words);
      return "a release without the kernel";
    } catch (const Unsupported& refusal) {
      why = refusal.path() + ": " + refusal.why();
    }
    try {
      bits.fill(words);
      return "words without the kernel";
    } catch (const Unsupported&) {
      return words == Words(3, 42) ? why : "something was written";
    }
  });
}

TEST(Entropy, AFilterOfSystemCallsIsAnError) {
  EXPECT_EQ(without_system_call(SYS_getrandom, EPERM),
            "entropy: the kernel gives no random bits: getrandom: Operation not permitted");
  EXPECT_EQ(without_system_call(SYS_getrandom, ENOSYS),
            "entropy: the kernel gives no random bits: getrandom: Function not implemented");
  // The filter is what does it: forbidding another call changes nothing.
  EXPECT_EQ(without_system_call(SYS_sethostname, EPERM), "a release without the kernel");
}

TEST(Entropy, AKernelThatCannotWipeMemoryInChildrenIsAnError) {
  EXPECT_EQ(
      in_child([]() -> std::string {
        if (!test::forbid_system_call(SYS_madvise, EINVAL)) return "no filter";
        try {
          const Generator generator;
        } catch (const Unsupported& error) {
          return error.path() + ": " + error.why();
        }
        return "a generator that forks copy";
      }),
      "entropy: the memory for random bits cannot be wiped in forked processes: MADV_WIPEONFORK: Invalid argument");
}

TEST(Entropy, NoVariableOfTheEnvironmentChoosesTheCipher) {
  if (test::is_run_again()) {
    EVP_CIPHER* cipher = EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr);
    EXPECT_EQ(cipher, nullptr) << "the configuration is not read";
    EVP_CIPHER_free(cipher);
    EXPECT_NE(draw(bits_for_release(4), 1), Words(1, 0));
    return;
  }
  const auto file = std::filesystem::temp_directory_path() / ("renyi_openssl_" + std::to_string(getpid()));
  std::ofstream(file) << "openssl_conf = all\n[all]\nproviders = some\n[some]\nnull = it\n[it]\nactivate = 1\n";
  EXPECT_THAT(test::run_again("OPENSSL_CONF", file.string()), testing::HasSubstr("[  PASSED  ] 1 test"));
  std::filesystem::remove(file);
}

// Memory for libcrypto, which can be given functions of our own only before it has used any.
std::atomic<bool> memory_is_out = false;
std::atomic<bool> forks_next = false;
std::array<int, 2> from_child{};
bool is_child = false;

// A fork at a moment of our choice, as a signal handler may do it at any.
void fork_here() {
  forks_next = false;
  if (pipe(from_child.data()) == 0) is_child = fork() == 0;
}

void* allocate(std::size_t size, [[maybe_unused]] const char* file, [[maybe_unused]] int line) {
  if (forks_next) fork_here();
  return memory_is_out ? nullptr : std::malloc(size);
}
void* reallocate(void* old, std::size_t size, [[maybe_unused]] const char* file, [[maybe_unused]] int line) {
  return memory_is_out ? nullptr : std::realloc(old, size);
}
void release(void* old, [[maybe_unused]] const char* file, [[maybe_unused]] int line) { std::free(old); }

TEST(Entropy, ACipherThatFailsIsAnError) {
  if (!test::is_run_again()) {
    EXPECT_THAT(test::run_again(), testing::HasSubstr("[  PASSED  ] 1 test"));
    return;
  }
  ASSERT_EQ(CRYPTO_set_mem_functions(allocate, reallocate, release), 1);
  memory_is_out = true;
  EXPECT_THROW(Generator(), Unsupported);
  memory_is_out = false;
  Generator generator;
  generator.start(100);
  draw(generator, 10);
  memory_is_out = true;
  for (const std::size_t count : {91, 20'000}) {
    Words words(count, 42);
    EXPECT_THROW(generator.fill(words), Unsupported);
    EXPECT_EQ(words, Words(count, 0));
    EXPECT_EQ(generator.state().stage, 0U);
    EXPECT_TRUE(std::ranges::all_of(generator.state().words, [](std::uint64_t word) { return word == 0; }));
  }
  memory_is_out = false;
  EXPECT_NE(draw(generator, 1), Words(1, 0));
}

// In the child: reports the words and ends. In the parent: returns those of the child.
Words words_of_child(const Words& words) {
  if (is_child) {
    const std::string text = as_text(words);
    _exit(write(from_child[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  close(from_child[1]);
  wait(nullptr);
  return from_text(test::all_of(from_child[0]));
}

TEST(Fork, WhileWordsAreGeneratedTheStreamsPart) {
  if (!test::is_run_again()) {
    EXPECT_THAT(test::run_again(), testing::HasSubstr("[  PASSED  ] 1 test"));
    return;
  }
  ASSERT_EQ(CRYPTO_set_mem_functions(allocate, reallocate, release), 1);
  // Words into the buffer; words straight to their place, after some of the buffer.
  for (const std::size_t count : {100, 2000}) {
    std::vector<Words> streams;
    for (int repeat = 0; repeat < 2; ++repeat) {
      Generator generator;
      generator.start(150);
      draw(generator, count == 100 ? 0 : 1);
      forks_next = true;
      streams.push_back(draw(generator, count));
      EXPECT_FALSE(forks_next);
      streams.push_back(words_of_child(streams.back()));
      ASSERT_EQ(streams.back().size(), count);
    }
    // Children that went on with a key that was wiped would agree with each other.
    for (std::size_t i = 0; i < streams.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(have_common_word(streams[i], streams[j])) << count;
    }
  }
}

TEST(Fork, WhileTheKeyIsMixedItIsMixedAgain) {
  std::vector<Words> streams;
  for (int repeat = 0; repeat < 2; ++repeat) {
    static KernelSource kernel = kernel_source;
    const KernelStub stub([](void* buffer, std::size_t size) {
      const ssize_t written = kernel(buffer, size);
      if (forks_next) fork_here();
      return written;
    });
    Generator generator;
    forks_next = true;
    generator.start(50);
    streams.push_back(draw(generator, 50));
    streams.push_back(words_of_child(streams.back()));
    ASSERT_EQ(streams.back().size(), 50U);
  }
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(have_common_word(streams[i], streams[j]));
  }
}

}  // namespace entropy_test
}  // namespace renyi::noise
