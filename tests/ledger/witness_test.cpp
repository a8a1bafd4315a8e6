// Witnesses: an old copy of a ledger, a rewritten one, and two copies in use at the same time are noticed.
#include "ledger/store/witness.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ledger/store/sqlite.h"
#include "ledger/store/store.h"
#include "renyi/error.h"
#include "renyi/ledger.h"
#include "renyi/mechanisms.h"
#include "support/postgres_ledger.h"
#include "support/postgres_server.h"
#include "support/temporary_directory.h"

namespace renyi::witness_test {

using test::fault_in;
using test::PostgresServer;
using test::TemporaryDirectory;

ChargeRequest step() { return {.scope = "s", .steps = Plan().add(Gaussian{.stddev = 100})}; }

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Where the witness is: a file, or PostgreSQL.
class WitnessTest : public ::testing::TestWithParam<bool> {
 protected:
  std::string witness() const {
    return GetParam() ? PostgresServer::shared().uri("witness") : directory.file("witness.db");
  }
  std::string ledger() const { return directory.file("a.ledger"); }
  void make() const {
    Ledger made = Ledger::create(ledger(), {.witness = witness()});
    made.add_scope("s", {.budget = Budget::zcdp(1)});
    made.charge(step());
  }

  TemporaryDirectory directory;
};

TEST_P(WitnessTest, AnOlderFileIsRefused) {
  make();
  const std::string older = bytes_of(ledger());
  { Ledger(ledger()).charge(step()); }
  std::ofstream(ledger(), std::ios::binary) << older;  // into the same file, so that it looks like the ledger
  EXPECT_EQ(fault_in([&] { Ledger again(ledger()); }), StoreFault::rolled_back);
}

TEST_P(WitnessTest, ALedgerThatGrowsIsOpened) {
  make();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(Ledger(ledger()).charge(step()).accepted);
  EXPECT_TRUE(Ledger(ledger()).has_witness());
  EXPECT_TRUE(Ledger(ledger(), {.witness = witness()}).verify().valid);
}

TEST_P(WitnessTest, OfTwoCopiesInUseOneIsStopped) {
  make();
  const std::string copy = directory.file("b.ledger");
  std::filesystem::copy_file(ledger(), copy);
  EXPECT_EQ(fault_in([&] { Ledger opened(copy); }), StoreFault::copied);
  {
    auto store = ledger::open_store(copy, std::chrono::seconds(10));
    test::set_fact(*store, "place", store->place());
  }
  Ledger first(ledger()), second(copy);
  EXPECT_TRUE(first.charge(step()).accepted);
  EXPECT_EQ(fault_in([&] { second.charge(step()); }), StoreFault::rolled_back);
  EXPECT_TRUE(first.charge(step()).accepted);
}

TEST_P(WitnessTest, AnImportHasItsOwnWitnessOrNone) {
  make();
  std::string lines;
  read_log(ledger(), [&](const LedgerEntry& entry) { lines += entry.text + '\n'; });
  const std::string without = directory.file("without.ledger"), with = directory.file("with.ledger");
  EXPECT_FALSE(import_ledger(lines, without).has_witness());
  EXPECT_TRUE(Ledger(without).charge(step()).accepted);
  EXPECT_TRUE(import_ledger(lines, with, {.witness = directory.file("new.witness")}).has_witness());
  EXPECT_TRUE(Ledger(with).charge(step()).accepted);
  {
    auto store = ledger::open_store(with, std::chrono::seconds(10));
    test::set_fact(*store, "witness", "");
  }
  EXPECT_EQ(fault_in([&] { Ledger opened(with); }), StoreFault::rolled_back);
}

TEST_P(WitnessTest, VerificationSaysHowFarTheWitnessAgrees) {
  make();
  Ledger opened(ledger());
  EXPECT_EQ(opened.verify().witnessed, opened.head().entry);
  {
    auto other = ledger::open_witness(witness(), false, std::chrono::seconds(10));
    other->record(opened.head().ledger, {opened.head().entry + 1, std::string(64, '0'), {}});
  }
  const LedgerVerification behind = opened.verify();
  EXPECT_FALSE(behind.valid);
  EXPECT_FALSE(behind.witnessed);
}

INSTANTIATE_TEST_SUITE_P(InAFileAndInPostgres, WitnessTest, ::testing::Bool());

TEST(Witness, WhatIsLostIsCalledTheWitness) {
  const TemporaryDirectory directory;
  const std::string place = directory.file("a.ledger"), witness = directory.file("a.witness");
  { Ledger::create(place, {.witness = witness}).add_scope("s", {.budget = Budget::zcdp(1)}); }
  const auto message = [&](const LedgerOptions& options) {
    try {
      const Ledger opened(place, options);
      return std::string("opened");
    } catch (const StoreFailure& error) {
      return std::string(error.what());
    }
  };
  std::filesystem::rename(witness, directory.file("moved.witness"));
  EXPECT_NE(message({}).find("the witness \"" + witness + "\" cannot be opened"), std::string::npos) << message({});
  EXPECT_NE(message({}).find("--witness"), std::string::npos);
  EXPECT_EQ(message({.witness = directory.file("moved.witness")}), "opened");
  { const Ledger other = Ledger::create(directory.file("b.ledger"), {.witness = directory.file("b.witness")}); }
  const std::string misnamed = message({.witness = directory.file("b.witness")});
  EXPECT_NE(misnamed.find("the witness does not know this ledger"), std::string::npos) << misnamed;
}

TEST(Witness, OnlyItsOwnerReadsTheFile) {
  const TemporaryDirectory directory;
  const std::string witness = directory.file("a.witness");
  const mode_t before = ::umask(0);
  Ledger::create(directory.file("a.ledger"), {.witness = witness}).add_scope("s", {.budget = Budget::zcdp(1)});
  ::umask(before);
  for (const auto& file : std::filesystem::directory_iterator(directory.path())) {
    EXPECT_EQ(file.status().permissions() & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write)
        << file.path();
  }
}

TEST(Witness, APasswordIsNotStored) {
  const TemporaryDirectory directory;
  EXPECT_THROW(Ledger::create(directory.file("a.ledger"), {.witness = "postgresql://ada:secret@localhost:1/db"}),
               InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(directory.file("a.ledger")));
}

}  // namespace renyi::witness_test
