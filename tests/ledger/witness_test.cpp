// Witnesses: an old copy of a ledger, a rewritten one, and two copies in use at the same time are noticed.
#include <gtest/gtest.h>

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
    store->set_fact("place", store->place());
  }
  Ledger first(ledger()), second(copy);
  EXPECT_TRUE(first.charge(step()).accepted);
  EXPECT_EQ(fault_in([&] { second.charge(step()); }), StoreFault::rolled_back);
  EXPECT_TRUE(first.charge(step()).accepted);
}

INSTANTIATE_TEST_SUITE_P(InAFileAndInPostgres, WitnessTest, ::testing::Bool());

TEST(Witness, APasswordIsNotStored) {
  const TemporaryDirectory directory;
  EXPECT_THROW(Ledger::create(directory.file("a.ledger"), {.witness = "postgresql://ada:secret@localhost:1/db"}),
               InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(directory.file("a.ledger")));
}

}  // namespace renyi::witness_test
