// Processes that release are killed by SIGKILL, at random moments and at every fault point: no output is there that was
// not paid for and committed, and no key has two outputs.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>

#include "renyi/ledger.h"
#include "support/fault_points.h"
#include "support/ledger_check.h"
#include "support/ledger_place.h"
#include "support/worker_process.h"
#include "support/worker_releases.h"

namespace renyi::test::kill_release_test {
namespace {

struct ReleaseCensus {
  int published = 0, spent = 0, refused = 0;
};

// Two processes with the same keys, the same output files, and a journal each.
class Releasers {
 public:
  explicit Releasers(LedgerPlace& place) : location_(place.location("ledger")), outputs_(place.file("outputs")) {
    std::filesystem::create_directory(outputs_);
    if (!run_worker({"create", location_, place.file("witness")})) throw std::runtime_error("no ledger was made");
    for (std::size_t i = 0; i < count; ++i) journals_.push_back(place.file("journal" + std::to_string(i)));
  }

  void start(std::size_t user, int releases, const WorkerProcess::Variables& variables = {}) {
    processes_[user] = std::make_unique<WorkerProcess>(
        std::vector<std::string>{"release", location_, journals_[user], std::to_string(user), std::to_string(releases),
                                 outputs_},
        variables);
  }
  WorkerProcess& process(std::size_t user) { return *processes_[user]; }
  [[nodiscard]] const std::string& journal(std::size_t user) const { return journals_[user]; }

  // Kills those that run; then everybody repeats what has not ended, and goes.
  ReleaseCensus finish() {
    for (const auto& process : processes_) {
      if (process) process->kill();
    }
    std::map<std::string, std::string> before;
    (void)expect_paid(&before);
    for (std::size_t user = 0; user < count; ++user) {
      start(user, 0);
      EXPECT_TRUE(process(user).succeeds()) << "user " << user;
      EXPECT_TRUE(ReleaseJournal::read(journals_[user]).open_keys().empty());
    }
    std::map<std::string, std::string> after;
    const ReleaseCensus census = expect_paid(&after);
    for (const auto& [key, document] : before) EXPECT_EQ(after[key], document) << key;
    return census;
  }

  static constexpr std::size_t count = 2;

 private:
  [[nodiscard]] std::string output_of_key(const std::string& key) const { return outputs_ + "/" + key + ".json"; }

  // Compares the files with the ledger, and puts them into `files`.
  ReleaseCensus expect_paid(std::map<std::string, std::string>* files) const {
    const Ledger ledger(location_);
    ReleaseCensus census;
    std::set<std::string> keys;
    for (const std::string& path : journals_) {
      const ReleaseJournal journal = ReleaseJournal::read(path);
      keys.insert(journal.asked.begin(), journal.asked.end());
      for (const auto& [key, digest] : journal.published) {
        EXPECT_EQ(digest, digest_of(content_of(output_of_key(key)))) << key << " was published and is another one";
      }
    }
    for (const std::string& key : keys) {
      const std::optional<Receipt> reserved = ledger.answer_to(key + ":reserve");
      const std::optional<Receipt> opened = ledger.answer_to(key + ":open");
      const std::optional<Receipt> committed = ledger.answer_to(key + ":commit");
      const bool is_stored = committed && committed->accepted;
      const bool is_there = std::filesystem::exists(output_of_key(key));
      if (is_there) (*files)[key] = content_of(output_of_key(key));
      census.published += is_there ? 1 : 0;
      census.spent += opened && opened->accepted && !is_stored ? 1 : 0;
      census.refused += reserved && !reserved->accepted ? 1 : 0;
      if (!is_there) continue;
      if (!is_stored || !opened || !opened->accepted) {
        ADD_FAILURE() << key << " has an output that was not paid for";
        continue;
      }
      const std::optional<Output> stored = ledger.output(committed->ticket);
      EXPECT_TRUE(stored && stored->bytes == (*files)[key]) << key;
      const release::Document document = release::read_document((*files)[key]);
      EXPECT_EQ(document.payment.value().entry, opened->entry) << key;
      EXPECT_EQ(document.payment.value().hash, opened->hash) << key;
    }
    // Nothing is there that no journal tells of, except what a process that was killed had not yet renamed.
    for (const auto& file : std::filesystem::directory_iterator(outputs_)) {
      if (file.path().extension() == ".json") {
        EXPECT_TRUE(keys.contains(file.path().stem().string())) << file.path();
      }
    }
    Recount recount;
    ledger.history({}, [&](const LedgerEntry& entry) { recount.take(entry); });
    recount.expect_within_budgets();
    expect_valid(ledger, ledger.head());
    return census;
  }

  std::string location_, outputs_;
  std::vector<std::string> journals_;
  std::array<std::unique_ptr<WorkerProcess>, count> processes_{};
};

void print(int kills, const ReleaseCensus& census) {
  std::printf("%d kills; %d releases published, %d spent without output, %d refused\n", kills, census.published,
              census.spent, census.refused);
}

class KillReleaseTest : public ::testing::TestWithParam<StoreKind> {};
INSTANTIATE_TEST_SUITE_P(Stores, KillReleaseTest, ::testing::ValuesIn(store_kinds()),
                         [](const auto& store) { return name_of(store.param); });

TEST_P(KillReleaseTest, NoOutputIsUnpaidAtRandomMoments) {
  const int kills = all_faults() ? 400 : 20;
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  LedgerPlace place(GetParam());
  Releasers users(place);
  std::array<std::int64_t, Releasers::count> goals{};
  const auto start = [&](std::size_t user) {
    users.start(user, 1'000'000);
    goals[user] = size_of_file(users.journal(user)) + static_cast<std::int64_t>(random() % 6) * 40;
  };
  for (std::size_t user = 0; user < Releasers::count; ++user) start(user);
  for (int kill = 0; kill < kills; ++kill) {
    const std::size_t user = random() % Releasers::count;
    while (users.process(user).is_running() && size_of_file(users.journal(user)) < goals[user]) {
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 10'000));
    ASSERT_TRUE(users.process(user).is_running()) << "user " << user << " ended by itself";
    users.process(user).kill();
    start(user);
  }
  const ReleaseCensus census = users.finish();
  EXPECT_GT(census.published, 0);
  print(kills, census);
}

TEST_P(KillReleaseTest, NoOutputIsUnpaidAtAnyFaultPoint) {
  std::set<std::string> points;
  {
    LedgerPlace place(GetParam());
    const std::string list = place.file("points");
    Releasers users(place);
    users.start(0, 12, {{"RENYI_WORKER_POINTS", list}});
    EXPECT_TRUE(users.process(0).succeeds());
    points = lines_of(list);
    users.finish();
  }
  EXPECT_TRUE(points.contains("release.renamed") && points.contains("release.commit_again"));
  LedgerPlace place(GetParam());
  Releasers users(place);
  int kills = 0;
  for (const std::string& point : points) {
    for (int hit = 1; hit <= (all_faults() ? 6 : 1); ++hit) {
      SCOPED_TRACE(point + " " + std::to_string(hit));
      const auto user = static_cast<std::size_t>(kills) % 2;
      users.start(user, 1000, {{"RENYI_WORKER_DIES", point + " " + std::to_string(hit * hit)}});
      EXPECT_TRUE(users.process(user).dies());
      ++kills;
    }
  }
  const ReleaseCensus census = users.finish();
  EXPECT_GT(census.spent, 0);
  print(kills, census);
}

}  // namespace
}  // namespace renyi::test::kill_release_test
