// Ledgers in files that something is done to, and the typed errors that come of it.
#pragma once

#include <functional>
#include <random>
#include <string>

#include "renyi/error.h"
#include "renyi/ledger.h"
#include "support/ledger_calls.h"
#include "support/temporary_directory.h"

namespace renyi::test {

// Returns the fault of the StoreFailure that the function throws, "none" if it throws nothing, or another error's kind.
inline std::string fault_of(const std::function<void()>& function) {
  try {
    function();
  } catch (const StoreFailure& failure) {
    return std::string(to_string(failure.fault()));
  } catch (const Error& error) {
    return std::string(to_string(error.kind()));
  }
  return "none";
}

// A ledger with a few entries of every kind, in a directory of its own.
struct LedgerFile {
  TemporaryDirectory directory{};
  std::string path = directory.file("clinic.ledger");
  LedgerCalls calls{};

  LedgerFile() = default;
  explicit LedgerFile(int random_calls) {
    Ledger ledger = Ledger::create(path);
    calls.set_up(ledger);
    std::mt19937_64 random(7);
    for (int i = 0; i < random_calls; ++i) calls.one(ledger, random);
  }
  void check() const {
    const Ledger ledger(path);
    calls.check(ledger);
  }
};

inline const ChargeRequest& charge() {
  static const ChargeRequest request = LedgerCalls::charge_of("clinic/a");
  return request;
}

}  // namespace renyi::test
