// Random calls of a ledger with keys, and a journal of them: a line before each call, and a line after it was
// acknowledged. The journal outlives a process that is killed, as the page cache does.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "renyi/ledger.h"
#include "renyi/mechanisms.h"

namespace renyi::test {

// A scope whose sums are exact decimals. Its budget is used up nearly always, by reservations that are never opened, so
// that much is refused there.
inline constexpr const char* exact_scope = "exact";

// One call; what a verb does not have is 0 or "-".
struct LedgerCall {
  std::string verb{};
  std::string key{};
  std::string scope = "-";
  double size = 0;  // stddev of the noise, or the epsilon of a step in the exact scope
  std::int64_t ticket = 0;
  std::string secret = "-";
  std::int64_t seconds = 0;  // until a reservation expires

  [[nodiscard]] std::string line() const {
    return fmt::format("asked {} {} {} {} {} {} {}\n", key, verb, scope, size, ticket, secret, seconds);
  }
};

struct LedgerAnswer {
  std::int64_t entry = 0;
  std::string hash{};
  bool accepted = false;
  std::int64_t ticket = 0;
  std::string secret = "-";

  static LedgerAnswer of(const Receipt& receipt) {
    return {receipt.entry, receipt.hash, receipt.accepted, receipt.ticket,
            receipt.secret.empty() ? "-" : receipt.secret};
  }
  [[nodiscard]] std::string line(const std::string& key) const {
    return fmt::format("answered {} {} {} {} {} {}\n", key, entry, hash, accepted ? 1 : 0, ticket, secret);
  }
};

// Appends lines by one system call each: what was written is not lost if the process is killed.
class JournalWriter {
 public:
  explicit JournalWriter(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    if (file_ < 0) throw std::runtime_error("no journal");
  }
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  ~JournalWriter() { ::close(file_); }

  void add(const std::string& line) const {
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
      throw std::runtime_error("the journal cannot be written");
    }
  }

 private:
  int file_;
};

struct Journal {
  std::vector<LedgerCall> asked{};
  std::map<std::string, LedgerAnswer> answered{};
  std::vector<std::string> failures{};  // what the store said

  static Journal read(const std::string& path) {
    Journal journal;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string kind, key;
      words >> kind >> key;
      if (kind == "asked") {
        LedgerCall call{.key = key};
        words >> call.verb >> call.scope >> call.size >> call.ticket >> call.secret >> call.seconds;
        journal.asked.push_back(call);
      } else if (kind == "answered") {
        LedgerAnswer answer;
        words >> answer.entry >> answer.hash >> answer.accepted >> answer.ticket >> answer.secret;
        if (!journal.answered.emplace(key, answer).second) throw std::runtime_error("a key was answered twice: " + key);
      } else {
        journal.failures.push_back(line);
      }
    }
    return journal;
  }
  // Calls that were made and not acknowledged.
  [[nodiscard]] std::vector<LedgerCall> open_calls() const {
    std::vector<LedgerCall> list;
    for (const LedgerCall& call : asked) {
      if (!answered.contains(call.key)) list.push_back(call);
    }
    return list;
  }
};

inline std::string output_of(std::int64_t ticket) { return fmt::format("the numbers of ticket {}", ticket); }

inline Receipt perform(Ledger& ledger, const LedgerCall& call) {
  const CallInfo info{.key = call.key, .person = "tester"};
  const auto charge = [&] {
    const Plan steps = call.scope == exact_scope ? Plan().add(PureDp{.epsilon = call.size})
                                                 : Plan().add(Gaussian{.stddev = call.size});
    return ChargeRequest{.scope = call.scope, .steps = steps};
  };
  if (call.verb == "charge") return ledger.charge(charge(), info);
  if (call.verb == "reserve") return ledger.reserve(charge(), std::chrono::seconds(call.seconds), info);
  if (call.verb == "open") return ledger.open(call.ticket, call.secret, info);
  if (call.verb == "commit") return ledger.commit(call.ticket, {.bytes = output_of(call.ticket)}, info);
  if (call.verb == "cancel") return ledger.cancel(call.ticket, info);
  throw std::runtime_error("no such verb: " + call.verb);
}

// The scopes of the random calls. What is charged to "org/b" is refused soon, "org/c" has no collusion.
inline void add_test_scopes(Ledger& ledger) {
  ledger.add_scope("org", {.budget = Budget::zcdp(500)});
  ledger.add_scope("org/a", {.budget = Budget::gdp(30)});
  ledger.add_scope("org/b", {.budget = Budget::zcdp(0.02)});
  ledger.add_scope("org/c", {.budget = Budget::zcdp(200), .analysts_may_collude = false});
  ledger.add_scope("org/c/ana", {.budget = Budget::tcdp(100, 20)});
  ledger.add_scope(exact_scope, {.budget = Budget::pure(0.25)});
}

// Chooses calls at random. It knows its own tickets, also those that a journal tells of.
class RandomCalls {
 public:
  RandomCalls(std::uint64_t seed, const Journal& journal)
      : seed_(seed), made_(journal.asked.size()), random_(seed * 1'000'003 + journal.asked.size()) {
    for (const LedgerCall& call : journal.asked) {
      const auto answer = journal.answered.find(call.key);
      if (answer != journal.answered.end()) learn(call, answer->second);
    }
  }

  LedgerCall next() {
    LedgerCall call{.key = fmt::format("{}-{}", seed_, made_++)};
    const auto choice = random_() % 100;
    if (choice < 20 && !reserved_.empty()) {
      const auto chosen = pick(reserved_);
      call.verb = "open";
      call.ticket = chosen->first;
      call.secret = chosen->second;
    } else if (choice < 40 && !opened_.empty()) {
      call.verb = "commit";
      call.ticket = pick(opened_)->first;
    } else if (choice < 45 && !reserved_.empty()) {
      call.verb = "cancel";
      call.ticket = pick(reserved_)->first;
    } else if (choice < 52 && !exact_.empty()) {
      call.verb = "cancel";
      call.ticket = pick(exact_)->first;
    } else if (choice < 68) {
      static constexpr double shares[] = {0.051, 0.1, 0.203};
      call.scope = exact_scope;
      call.verb = choice < 54 ? "charge" : "reserve";
      call.size = call.verb == "charge" ? 0.001 : shares[random_() % 3];
      if (call.verb == "reserve") call.seconds = random_() % 5 == 0 ? 1 : 3600;
    } else {
      static constexpr const char* scopes[] = {"org", "org/a", "org/a", "org/c", "org/c/ana", "org/c/ana", "org/b"};
      static constexpr double noises[] = {20, 30, 50};
      call.verb = choice < 85 ? "charge" : "reserve";
      call.scope = scopes[random_() % 7];
      call.size = noises[random_() % 3];
      if (call.verb == "reserve") call.seconds = random_() % 5 == 0 ? 1 : 3600;
    }
    return call;
  }

  void learn(const LedgerCall& call, const LedgerAnswer& answer) {
    Tickets& reserved = call.scope == exact_scope ? exact_ : reserved_;
    if (call.verb == "reserve" && answer.accepted) reserved[answer.ticket] = answer.secret;
    if (call.verb == "open" || call.verb == "cancel") {
      reserved_.erase(call.ticket);
      exact_.erase(call.ticket);
    }
    if (call.verb == "open" && answer.accepted) opened_[call.ticket] = call.secret;
    if (call.verb == "commit") opened_.erase(call.ticket);
  }

 private:
  using Tickets = std::map<std::int64_t, std::string>;
  Tickets::const_iterator pick(const Tickets& tickets) {
    return std::next(tickets.begin(), static_cast<std::ptrdiff_t>(random_() % tickets.size()));
  }

  std::uint64_t seed_;
  std::size_t made_;
  std::mt19937_64 random_;
  Tickets reserved_, exact_, opened_;  // those of the exact scope are cancelled or expire
};

}  // namespace renyi::test
