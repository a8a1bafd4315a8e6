// Releases through a ledger: paid first, drawn once, whatever is killed in between.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/fault_point.h"
#include "renyi/error.h"
#include "renyi/ledger.h"
#include "renyi/release.h"
#include "support/child_process.h"
#include "support/kernel_stub.h"
#include "support/temporary_directory.h"

namespace renyi::release_run_test {
namespace {

using release::Charge;
using release::Outcome;
using release::Request;
using test::TemporaryDirectory;

Request report() {
  Request request;
  request.terms.statistics = {{.name = "visits", .is_integer = true, .bounds = {.l1_sensitivity = 1}},
                              {.name = "hours", .bins = {"a", "b"}, .bounds = {.l2_sensitivity = 2}}};
  request.terms.budget.rho = 0.1;
  request.values = {std::vector<std::int64_t>{1017}, std::vector<double>{12.5, 80}};
  return request;
}

const Charge november{.scope = "clinic", .key = "november", .person = "anna"};

std::string content(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// What the command does.
Outcome publish(const std::string& ledger_name, const std::string& out) {
  Ledger ledger(ledger_name);
  Outcome outcome = run(report(), ledger, november);
  if (outcome.is_published) release::write_output(out, outcome.document);
  return outcome;
}

class ReleaseRun : public ::testing::Test {
 protected:
  ReleaseRun() {
    Ledger ledger = Ledger::create(name);
    ledger.add_scope("clinic", {.budget = Budget::zcdp(0.25)});
  }
  double spent() const { return Ledger(name).scope("clinic").balances.at(0).spent; }
  void expect_valid() const {
    const LedgerVerification verified = Ledger(name).verify();
    EXPECT_TRUE(verified.valid) << verified.fault;
  }

  TemporaryDirectory directory;
  std::string name = directory.file("test.ledger");
  std::string out = directory.file("out.json");
};

// From "opened" on the process goes on as a forked one, which has to ask the kernel for a key, and gets none.
void go_on_without_entropy(const char* point) {
  if (std::string_view(point) != "release.opened") return;
  const pid_t child = fork();
  if (child == 0) {
    noise::kernel_source.store(test::no_bytes);
    return;
  }
  int status = 0;
  waitpid(child, &status, 0);
  _exit(WEXITSTATUS(status));
}

TEST_F(ReleaseRun, SaysThatTheChargeIsSpentWhereEntropyFailsAfterIt) {
  const std::string report = test::in_child([this] {
    ledger::set_fault_hook(go_on_without_entropy);
    publish(name, out);
    return std::string("published");
  });
  EXPECT_THAT(report, testing::HasSubstr("the kernel gives no random bits"));
  EXPECT_THAT(report, testing::HasSubstr("The charge of the key \"november\" was opened before and stays spent"));
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_GT(spent(), 0);
  expect_valid();
  EXPECT_FALSE(publish(name, out).is_published);  // another try with the key draws nothing
}

TEST_F(ReleaseRun, ARangeThatTheNoiseDoesNotHaveIsRefusedBeforeAnythingIsReserved) {
  Request request = report();
  request.terms.statistics[1].expected_lowest = 0;
  request.terms.statistics[1].expected_highest = 1e18;
  Ledger ledger(name);
  const std::int64_t before = ledger.head().entry;
  try {
    (void)run(request, ledger, november);
    ADD_FAILURE();
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "statistics[1].expected_highest");
  }
  EXPECT_EQ(ledger.head().entry, before);
  EXPECT_EQ(spent(), 0);
  request.terms.statistics[1].expected_highest = 1e13;
  EXPECT_TRUE(run(request, ledger, november).is_published);
  // The key belongs to the range that was stated, too.
  EXPECT_THROW((void)run(report(), ledger, november), InvalidArgument);
}

TEST_F(ReleaseRun, IsPaidForAndStored) {
  const Outcome first = publish(name, out);
  ASSERT_TRUE(first.is_published) << first.reason;
  EXPECT_FALSE(first.is_repeated);
  EXPECT_EQ(content(out), first.document);
  const release::Document document = release::read_document(first.document);
  ASSERT_TRUE(document.payment);
  EXPECT_EQ(document.payment->ledger, Ledger(name).head().ledger);
  bool is_there = false;
  Ledger(name).history({}, [&](const LedgerEntry& entry) {
    if (entry.entry != document.payment->entry) return;
    is_there = true;
    EXPECT_EQ(entry.hash, document.payment->hash);
    EXPECT_EQ(receipt_of(entry).verb, "open");
    EXPECT_EQ(receipt_of(entry).ticket, document.payment->ticket);
  });
  EXPECT_TRUE(is_there);
  EXPECT_NEAR(spent(), 0.1, 1e-5);
  EXPECT_LE(spent(), 0.1);
  // Values are not a part of what is asked.
  Request other = report();
  other.values[0] = std::vector<std::int64_t>{0};
  Ledger ledger(name);
  const Outcome again = run(other, ledger, november);
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.document, first.document);
  EXPECT_NEAR(spent(), 0.1, 1e-5);
  expect_valid();
}

TEST_F(ReleaseRun, AnotherContentWithTheSameKeyIsAConflict) {
  (void)publish(name, out);
  Ledger ledger(name);
  std::vector<Request> others(4, report());
  others[0].terms.statistics[0].name = "visitors";
  others[1].terms.budget.rho = 0.05;
  others[2].terms.statistics[0].lowest = 0;
  others[3].terms.statistics[1].weight = 2;
  others[3].terms.division = release::Division::weights;
  const LedgerHead head = ledger.head();
  for (const Request& other : others) EXPECT_THROW((void)run(other, ledger, november), InvalidArgument);
  EXPECT_EQ(ledger.head(), head);
}

TEST_F(ReleaseRun, ARefusalDrawsNothing) {
  Ledger ledger(name);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(run(report(), ledger, {.scope = "clinic"}).is_published);
  const Outcome refused = run(report(), ledger, {.scope = "clinic"});
  EXPECT_FALSE(refused.is_published);
  EXPECT_TRUE(refused.document.empty());
  ASSERT_TRUE(refused.refusal);
  EXPECT_EQ(refused.refusal->refused_by, "clinic");
  EXPECT_NEAR(spent(), 0.2, 1e-5);
  // Half of what is asked is left: the noise has to be sqrt(2) times as large.
  ASSERT_TRUE(refused.fitting_factor);
  EXPECT_NEAR(*refused.fitting_factor, std::sqrt(2.0), 3e-3);
  ASSERT_TRUE(refused.fitting_total);
  EXPECT_NEAR(*refused.fitting_total, 0.05, 3e-4);
  Request smaller = report();
  smaller.terms.budget.rho = refused.fitting_total;
  EXPECT_TRUE(run(smaller, ledger, {.scope = "clinic"}).is_published);
  EXPECT_THROW((void)run(report(), ledger, {.scope = "nowhere"}), InvalidArgument);
  expect_valid();
}

TEST_F(ReleaseRun, ARefusalThatIsRepeatedHasNoNewHint) {
  Ledger ledger(name);
  Request large = report();
  large.terms.budget.rho = 0.5;
  const Outcome first = run(large, ledger, november);
  EXPECT_TRUE(first.fitting_factor);
  EXPECT_TRUE(run(report(), ledger, {.scope = "clinic"}).is_published);
  const Outcome again = run(large, ledger, november);
  ASSERT_TRUE(again.refusal);
  EXPECT_TRUE(again.refusal->repeated);
  EXPECT_EQ(again.reason, first.reason);
  EXPECT_FALSE(again.fitting_factor);
  EXPECT_FALSE(again.fitting_total);
}

TEST_F(ReleaseRun, MayBeAskedBefore) {
  Ledger ledger(name);
  Request request = report();
  request.terms.budget = {.epsilon = 1, .delta = 1e-6};
  const LedgerHead head = ledger.head();
  const auto ask = [&] {
    const release::Design chosen = release::design(request.terms, {});
    return release::may_run(request.terms, chosen, ledger, {.scope = "clinic"});
  };
  Outcome asked = ask();
  EXPECT_TRUE(asked.refusal && asked.refusal->accepted);
  EXPECT_TRUE(asked.reason.empty());
  EXPECT_FALSE(asked.fitting_factor);
  request.terms.budget.epsilon = 5;
  asked = ask();
  EXPECT_TRUE(asked.refusal && !asked.refusal->accepted);
  EXPECT_FALSE(asked.reason.empty());
  EXPECT_EQ(ledger.head(), head);
  // The epsilon that it names fits, and is not far from the largest that does.
  ASSERT_TRUE(asked.fitting_total);
  const double fitting = *asked.fitting_total;
  request.terms.budget.epsilon = fitting;
  EXPECT_TRUE(ask().refusal->accepted);
  request.terms.budget.epsilon = 1.02 * fitting;
  EXPECT_FALSE(ask().refusal->accepted);
  // Noise that is stated does not follow the budget.
  request.terms.budget = {.delta = 1e-6};
  for (release::Statistic& statistic : request.terms.statistics) {
    statistic.noise = release::StatedNoise{"gaussian", 1};
    statistic.is_integer = false;
  }
  asked = ask();
  EXPECT_TRUE(asked.fitting_factor);
  EXPECT_FALSE(asked.fitting_total);
}

// Documents are not in the log.
TEST_F(ReleaseRun, AfterAnImportTheDocumentIsInTheFileOnly) {
  (void)publish(name, out);
  std::string log;
  Ledger(name).history({}, [&](const LedgerEntry& entry) { log += entry.text + "\n"; });
  Ledger imported = import_ledger(log, directory.file("imported.ledger"));
  const LedgerHead head = imported.head();
  try {
    (void)run(report(), imported, november);
    FAIL() << "released again";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.path(), "key");
    EXPECT_NE(error.value().find("released in entry 4 before this ledger was imported"), std::string::npos)
        << error.value();
  }
  EXPECT_EQ(imported.head(), head);
}

TEST_F(ReleaseRun, TheRelationIsThatOfTheScope) {
  Ledger ledger(name);
  ledger.add_scope("school", {.budget = Budget::zcdp(1), .relation = Adjacency{Neighbors::replace_one, 2}});
  const Outcome outcome = run(report(), ledger, {.scope = "school"});
  const release::Document document = release::read_document(outcome.document);
  EXPECT_EQ(document.plan.neighbors(), Neighbors::replace_one);
  EXPECT_EQ(document.plan.unit(), 2);
  Request other = report();
  other.terms.neighbors = Neighbors::add_or_remove_one;
  EXPECT_THROW((void)run(other, ledger, {.scope = "school"}), InvalidArgument);
}

const char* deadly = nullptr;  // the fault point at which a child dies
void die(const char* point) {
  if (std::string_view(point) == deadly) kill(getpid(), SIGKILL);
}

// Publishes in another process, which is killed at the fault point.
void publish_and_die(const std::string& name, const std::string& out, const char* point) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    deadly = point;
    ledger::set_fault_hook(die);
    try {
      (void)publish(name, out);
    } catch (...) {
      _exit(3);
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status)) << point << " was not reached";
}

struct Killed {
  const char* point;
  bool is_charged;    // by a reservation at least
  bool is_written;    // the output is there
  bool is_completed;  // by a retry with the same key
};

TEST_F(ReleaseRun, KilledAnywhereLeavesNoOutputOrPaidOutput) {
  const std::vector<Killed> all{{"release.designed", false, false, true}, {"release.reserved", true, false, true},
                                {"release.opened", true, false, false},   {"release.drawn", true, false, false},
                                {"release.committed", true, false, true}, {"release.before_rename", true, false, true},
                                {"release.renamed", true, true, true}};
  for (const Killed& killed : all) {
    SCOPED_TRACE(killed.point);
    TemporaryDirectory place;
    const std::string file = place.file("test.ledger"), output = place.file("out.json");
    Ledger::create(file).add_scope("clinic", {.budget = Budget::zcdp(0.25)});
    publish_and_die(file, output, killed.point);
    EXPECT_EQ(std::filesystem::exists(output), killed.is_written);
    const std::string written = content(output);
    const double charged = killed.is_charged ? 0.1 : 0;
    EXPECT_NEAR(Ledger(file).scope("clinic").balances.at(0).spent, charged, 1e-5);
    if (killed.is_written) {
      EXPECT_EQ(stored_document(report().terms, Ledger(file), november), written);
    }

    const Outcome again = publish(file, output);
    EXPECT_EQ(again.is_published, killed.is_completed) << again.reason;
    EXPECT_EQ(std::filesystem::exists(output), killed.is_completed);
    if (killed.is_written) {
      EXPECT_EQ(content(output), written);
    }
    if (killed.is_completed) {
      EXPECT_EQ(content(output), publish(file, output).document);
    }
    EXPECT_NEAR(Ledger(file).scope("clinic").balances.at(0).spent, 0.1, 1e-5);
    const LedgerVerification verified = Ledger(file).verify();
    EXPECT_TRUE(verified.valid) << verified.fault;
  }
}

TEST_F(ReleaseRun, SeveralProgramsWithOneKeyDrawOnce) {
  constexpr int programs = 6;
  std::vector<pid_t> children;
  for (int i = 0; i < programs; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        (void)publish(name, out + std::to_string(i));
      } catch (...) {
        _exit(3);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  std::set<std::string> documents;
  for (int i = 0; i < programs; ++i) {
    if (std::filesystem::exists(out + std::to_string(i))) documents.insert(content(out + std::to_string(i)));
  }
  EXPECT_EQ(documents.size(), 1U);
  EXPECT_NEAR(spent(), 0.1, 1e-5);
  expect_valid();
}

TEST_F(ReleaseRun, NoiseThatCannotBeDrawnIsNotCharged) {
  Request request = report();
  request.terms.budget = {};
  request.terms.statistics[0].noise = {.mechanism = "gaussian", .size = 1e20};  // too wide for whole numbers
  request.terms.statistics[1].noise = {.mechanism = "gaussian", .size = 10};
  Ledger ledger(name);
  const LedgerHead head = ledger.head();
  EXPECT_THROW((void)run(request, ledger, november), InvalidArgument);
  EXPECT_EQ(ledger.head(), head);
}

int failures_left = 0;
int times_again = 0;
bool is_drawn = false;
void fail_to_commit_what_is_drawn(const char* point) {
  if (std::string_view(point) == "release.drawn") is_drawn = true;
  if (std::string_view(point) == "release.commit_again") ++times_again;
  if (!is_drawn || std::string_view(point) != "sqlite.before_commit" || failures_left == 0) return;
  --failures_left;
  throw StoreFailure(StoreFault::busy, "a test", "wait");
}

TEST_F(ReleaseRun, WhatIsDrawnIsCommittedAgainIfTheStoreFails) {
  ledger::set_fault_hook(fail_to_commit_what_is_drawn);
  failures_left = 2;
  times_again = 0;
  EXPECT_TRUE(publish(name, out).is_published);
  EXPECT_EQ(times_again, 2);
  // A store that goes on failing is an error; the charge stays, and nothing is published.
  is_drawn = false;
  failures_left = 100;
  Ledger ledger(name);
  EXPECT_THROW((void)run(report(), ledger, {.scope = "clinic", .key = "december"}), StoreFailure);
  ledger::set_fault_hook(nullptr);
  EXPECT_NEAR(spent(), 0.2, 1e-5);
  EXPECT_FALSE(run(report(), ledger, {.scope = "clinic", .key = "december"}).is_published);
  expect_valid();
}

TEST_F(ReleaseRun, OutputIsNotReplacedUnasked) {
  release::check_output(out, std::nullopt, false);
  release::write_output(out, "old\n");
  EXPECT_THROW(release::check_output(out, std::nullopt, false), InvalidArgument);
  EXPECT_THROW(release::check_output(out, "new\n", false), InvalidArgument);
  release::check_output(out, "old\n", false);
  release::check_output(out, std::nullopt, true);
  release::write_output(out, "new\n");
  EXPECT_EQ(content(out), "new\n");
  EXPECT_THROW(release::check_output(directory.file("none/out.json"), std::nullopt, true), InvalidArgument);
  EXPECT_THROW(release::write_output(directory.file("none/out.json"), "new\n"), InvalidArgument);
  std::filesystem::create_symlink(out, directory.file("link"));
  EXPECT_THROW(release::check_output(directory.file("link"), std::nullopt, true), InvalidArgument);
  EXPECT_THROW(release::write_output(directory.path(), ""), InvalidArgument);
  // Nothing is left beside the files.
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    EXPECT_EQ(entry.path().filename().string().find(".tmp"), std::string::npos);
  }
}

}  // namespace
}  // namespace renyi::release_run_test
