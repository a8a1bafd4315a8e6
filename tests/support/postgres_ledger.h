// Entries that continue a log, for tests of stores without the rules of a ledger.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "digest/sha256.h"
#include "ledger/store/store.h"

namespace renyi::test {

inline ledger::EntryRow entry_after(const ledger::LogEnd& end, const std::string& key) {
  const std::string number = std::to_string(end.entry + 1);
  const std::string text =
      R"({"entry":)" + number + R"(,"previous":")" + end.hash + R"(","request":{"key":")" + key + R"("}})";
  return {.entry = end.entry + 1,
          .hash = digest::sha256(text),
          .text = text,
          .key = key,
          .scope = "clinic",
          .person = "ada",
          .time = "2026-11-17T12:00:00.000Z"};
}

inline void append(ledger::Store& store, const std::string& key) {
  store.write([&](ledger::View& view) { return ledger::Changes{.entries = {entry_after(view.end(), key)}}; });
}

// Changes a fact, as somebody does who can write the store.
inline void set_fact(ledger::Store& store, const std::string& name, const std::string& value) {
  store.write([&](ledger::View&) { return ledger::Changes{.facts = {{name, value}}}; });
  store.make_durable();
}

inline std::int64_t last_entry(ledger::Store& store) {
  std::int64_t last = -1;
  store.read([&](ledger::View& view) { last = view.end().entry; });
  return last;
}

inline bool has_key(ledger::Store& store, const std::string& key) {
  bool found = false;
  store.read([&](ledger::View& view) { found = view.entry_by_key(key).has_value(); });
  return found;
}

// The fault of the StoreFailure that the function throws; none if it returns.
inline std::optional<StoreFault> fault_in(const std::function<void()>& function) {
  try {
    function();
  } catch (const StoreFailure& failure) {
    return failure.fault();
  }
  return std::nullopt;
}

}  // namespace renyi::test
