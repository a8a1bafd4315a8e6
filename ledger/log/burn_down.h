// How a scope was spent over time, computed from its entries.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ledger/log/entry.h"
#include "ledger/rules/account.h"
#include "ledger/rules/book.h"
#include "ledger/rules/prices.h"

namespace renyi::ledger {

class BurnDown {
 public:
  BurnDown(const Scope& scope, BurnDownBy by);

  // Takes the entries of the scope and of those within it, in order.
  void take(const Entry& entry);
  std::vector<BurnDownPoint> finish();

 private:
  // What a ticket reserves, until it is opened.
  struct Reserved {
    std::string child{};
    std::vector<std::string> blocks{};
    std::shared_ptr<const ChargedSteps> steps{};
    std::vector<Cost> costs{};
    std::int64_t count = 1;
    Share share() const { return {child, blocks, steps.get(), &costs, count}; }
  };

  void begin_point(const std::string& time);
  void end_point();
  void charge(const Request& request, std::int64_t number);
  void give_back(std::int64_t ticket);

  std::string name_;
  Adjacency relation_;
  std::size_t digits_;  // how much of a time entries of one point share; 0: nothing
  Account account_;
  PriceList prices_{};
  std::map<std::int64_t, Reserved> reserved_{};
  std::optional<BurnDownPoint> point_{};
  std::vector<BurnDownPoint> points_{};
};

}  // namespace renyi::ledger
