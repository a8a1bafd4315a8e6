// The machine loses power while a ledger is used: whatever the disk made of what was not synchronised, every call that
// was acknowledged is there. RENYI_CRASH_POINTS says how many crashes, RENYI_CRASH_SEED which.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/ledger_calls.h"
#include "support/temporary_directory.h"
#include "support/unsynced_vfs.h"

namespace renyi::test::machine_crash_test {
namespace {

std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

constexpr int images = 2;  // that a crash may leave, each looked at

// A ledger that is used until the machine dies.
struct Run {
  std::string path;
  LedgerOptions options{};
  LedgerCalls calls{};
  bool is_made = false;
};

// Calls of one thread, or of several that share synchronisations; sometimes the ledger is closed, which moves the
// write-ahead log into the file, or opened a second time.
void use(UnsyncedVfs& machine, Run& run, std::mt19937_64& random) {
  auto ledger =
      std::make_unique<Ledger>(run.is_made ? Ledger(run.path, run.options) : Ledger::create(run.path, run.options));
  run.is_made = true;
  if (!run.calls.set_up(*ledger) || !run.calls.repeat_unanswered(*ledger)) return;
  std::unique_ptr<Ledger> second;
  for (int round = 0; round < 40 && !machine.is_dead(); ++round) {
    const std::uint64_t what = below(random, 12);
    if (what == 0) {
      ledger.reset();
      second.reset();
      ledger = std::make_unique<Ledger>(run.path, run.options);
    } else if (what == 1) {
      second = std::make_unique<Ledger>(run.path, run.options);
    } else if (what == 2) {
      std::vector<std::thread> threads;
      for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&run, &ledger, seed = random()] {
          std::mt19937_64 own(seed);
          for (int j = 0; j < 3; ++j) run.calls.one(*ledger, own);
        });
      }
      for (std::thread& thread : threads) thread.join();
    } else {
      run.calls.one(second && what < 5 ? *second : *ledger, random);
    }
  }
}

// The file by which writers share synchronisations is not SQLite's: it is never synchronised, so that a crash leaves
// whatever it was at any time in each of its words, or nothing.
void crash_counters(const std::string& path, std::mt19937_64& random) {
  const std::string counters = path + "-sync";
  if (!std::filesystem::exists(counters)) return;
  if (below(random, 4) == 0) {
    std::filesystem::remove(counters);
    return;
  }
  std::string content = read_all(counters);
  for (std::size_t word = 0; word < content.size() / 8; ++word) {
    std::uint64_t number = 0;
    std::memcpy(&number, content.data() + 8 * word, 8);
    number = below(random, number + 1);
    std::memcpy(content.data() + 8 * word, &number, 8);
  }
  write_in_place(counters, content);
}

// Looks at what the crash has left. A ledger that was being made may be missing, or say that it was not completed.
void look(Run& run) {
  std::optional<Ledger> ledger;
  try {
    ledger.emplace(run.path, run.options);
  } catch (const Error& error) {
    EXPECT_FALSE(run.is_made) << error.what();
    return;
  }
  run.calls.check(*ledger);
}

// One life of the machine, from when it is switched on until it has lost power.
void live(UnsyncedVfs& machine, Run& run, std::mt19937_64& random) {
  machine.restart();
  machine.die_at(static_cast<std::int64_t>(below(random, run.is_made ? 300 : 500)), below(random, 2) == 0);
  try {
    use(machine, run, random);
  } catch (const StoreFailure&) {
    EXPECT_TRUE(machine.is_dead());  // while the ledger was made or opened
  }
  EXPECT_TRUE(machine.is_dead() || run.calls.unanswered() == 0);
  machine.die();
  for (int image = 0; image < images; ++image) {
    machine.crash(random());
    crash_counters(run.path, random);
    machine.set_default(false);
    look(run);
    machine.set_default(true);
  }
  if (!run.is_made) std::filesystem::remove(run.path);
}

// Ends without a crash: what was not acknowledged is answered now.
void go_on(Run& run) {
  if (!run.is_made) return;
  Ledger ledger(run.path, run.options);
  EXPECT_TRUE(run.calls.set_up(ledger) && run.calls.repeat_unanswered(ledger));
  run.calls.check(ledger);
}

void crash_often(bool has_witness, std::uint64_t crashes) {
  constexpr int lives = 3;
  UnsyncedVfs machine;
  const std::uint64_t first = environment("RENYI_CRASH_SEED", 1);
  for (std::uint64_t i = 0; i < crashes && !testing::Test::HasFailure(); i += lives) {
    SCOPED_TRACE(fmt::format("RENYI_CRASH_SEED={}, crash {}", first, i));
    std::mt19937_64 random(first * 0x9E3779B97F4A7C15ULL + i);
    const TemporaryDirectory directory;
    Run run{.path = directory.file("clinic.ledger")};
    if (has_witness) run.options.witness = directory.file("witness");
    for (int life = 0; life < lives && !testing::Test::HasFailure(); ++life) live(machine, run, random);
    machine.set_default(false);
    go_on(run);
    machine.set_default(true);
  }
}

TEST(MachineCrash, LosesNothingThatWasAcknowledged) { crash_often(false, environment("RENYI_CRASH_POINTS", 75)); }

TEST(MachineCrash, LosesNothingWithAWitness) { crash_often(true, environment("RENYI_CRASH_POINTS", 75) / 3); }

}  // namespace
}  // namespace renyi::test::machine_crash_test
