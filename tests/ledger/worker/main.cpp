// A process that uses a ledger and may be killed at any moment. It remembers its calls in a journal, and begins by
// repeating those that were not acknowledged.
//
//     ledger_worker create LOCATION WITNESS|-         makes a ledger with scopes for random calls
//     ledger_worker open LOCATION WITNESS|-           opens a ledger, which may be of an earlier version
//     ledger_worker work LOCATION JOURNAL SEED CALLS  makes so many random calls
//     ledger_worker fill LOCATION JOURNAL SEED EPSILON  charges such steps to the scope "full" until one is refused
//     ledger_worker release LOCATION JOURNAL SEED COUNT DIRECTORY  makes so many releases, with output files
//
// RENYI_WORKER_DIES="NAME N" kills it at the N-th hit of a fault point, and RENYI_WORKER_POINTS names a file to which
// the names of the points that were hit are added. Every fifth release has a store that fails at the commit.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "ledger/fault_point.h"
#include "releases.h"
#include "renyi/error.h"
#include "support/worker_calls.h"

namespace {

using renyi::CallInfo;
using renyi::Ledger;
using renyi::Receipt;
using renyi::test::Journal;
using renyi::test::JournalWriter;
using renyi::test::LedgerAnswer;
using renyi::test::LedgerCall;

constexpr std::chrono::minutes patience{5};

std::string deadly_point;
int hits_left = 0;

void die_at_point(const char* name) {
  if (name == deadly_point && --hits_left == 0) kill(getpid(), SIGKILL);
}

const JournalWriter* point_list = nullptr;

void list_point(const char* name) {
  static std::set<std::string> seen;
  if (seen.insert(name).second) point_list->add(std::string(name) + "\n");
}

// After every fifth drawing, the store fails once when the commit was written and not yet acknowledged.
renyi::ledger::FaultHook hook_of_variables = nullptr;
int drawings = 0;
bool commit_fails = false;

void fail_some_commits(const char* name) {
  if (hook_of_variables != nullptr) hook_of_variables(name);
  if (std::string_view(name) == "release.drawn") commit_fails = ++drawings % 5 == 0;
  if (!commit_fails || std::string_view(name) != "ledger.written") return;
  commit_fails = false;
  throw renyi::StoreFailure(renyi::StoreFault::busy, "a test", "ask again");
}

void set_hook() {
  if (const char* dies = std::getenv("RENYI_WORKER_DIES")) {
    std::istringstream(dies) >> deadly_point >> hits_left;
    hook_of_variables = die_at_point;
  }
  if (const char* points = std::getenv("RENYI_WORKER_POINTS")) {
    static const JournalWriter list{points};
    point_list = &list;
    hook_of_variables = list_point;
  }
  renyi::ledger::set_fault_hook(hook_of_variables);
}

// A ledger that is opened again, and asked again, when its store fails.
class Client {
 public:
  Client(std::string location, const std::string& journal) : location_(std::move(location)), journal_(journal) {}

  template <typename Call>
  Receipt until_it_answers(const Call& call) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (int failures = 0;; ++failures) {
      try {
        if (!ledger_) ledger_.emplace(location_, renyi::LedgerOptions{.patience = patience});
        return call(*ledger_);
      } catch (const renyi::StoreFailure& failure) {
        journal_.add(fmt::format("failure {}: {}\n", to_string(failure.fault()), failure.what()));
        if (std::chrono::steady_clock::now() > end) throw;
        if (failures % 2 == 1) ledger_.reset();  // every other time, the same object has to recover
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    }
  }

  LedgerAnswer ask(const LedgerCall& call) {
    const auto answer = LedgerAnswer::of(until_it_answers([&](Ledger& ledger) { return perform(ledger, call); }));
    journal_.add(answer.line(call.key));
    return answer;
  }
  const JournalWriter& journal() const { return journal_; }

 private:
  std::string location_;
  JournalWriter journal_;
  std::optional<Ledger> ledger_;
};

void work(const std::string& location, const std::string& path, std::uint64_t seed, int calls) {
  Client client(location, path);
  Journal known = Journal::read(path);
  for (const LedgerCall& call : known.open_calls()) known.answered[call.key] = client.ask(call);
  renyi::test::RandomCalls random(seed, known);
  for (int i = 0; i < calls; ++i) {
    const LedgerCall call = random.next();
    client.journal().add(call.line());
    random.learn(call, client.ask(call));
  }
}

void fill(const std::string& location, const std::string& path, std::uint64_t seed, double epsilon) {
  Client client(location, path);
  for (int i = 0;; ++i) {
    const CallInfo info{.key = fmt::format("{}-{}", seed, i)};
    const Receipt receipt = client.until_it_answers([&](Ledger& ledger) {
      return ledger.charge({.scope = "full", .steps = renyi::Plan().add(renyi::PureDp{.epsilon = epsilon})}, info);
    });
    client.journal().add(LedgerAnswer::of(receipt).line(info.key));
    if (!receipt.accepted) return;
  }
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  try {
    set_hook();
    if (arguments.size() == 3 && arguments[0] == "create") {
      Ledger ledger = Ledger::create(arguments[1], {.witness = arguments[2] == "-" ? "" : arguments[2]});
      renyi::test::add_test_scopes(ledger);
    } else if (arguments.size() == 3 && arguments[0] == "open") {
      const Ledger ledger(arguments[1], {.witness = arguments[2] == "-" ? "" : arguments[2]});
      return ledger.verify().valid ? 0 : 3;
    } else if (arguments.size() == 5 && arguments[0] == "work") {
      work(arguments[1], arguments[2], std::stoull(arguments[3]), std::stoi(arguments[4]));
    } else if (arguments.size() == 5 && arguments[0] == "fill") {
      fill(arguments[1], arguments[2], std::stoull(arguments[3]), std::stod(arguments[4]));
    } else if (arguments.size() == 6 && arguments[0] == "release") {
      renyi::ledger::set_fault_hook(fail_some_commits);
      renyi::test::release_outputs(arguments[1], arguments[2], std::stoull(arguments[3]), std::stoi(arguments[4]),
                                   arguments[5]);
    } else {
      std::fputs("usage: see the beginning of its source\n", stderr);
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ledger_worker: %s\n", error.what());
    return 3;
  }
  return 0;
}
