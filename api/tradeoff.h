// How well the best test can distinguish neighbouring datasets: its smallest type II error at each type I error.
#pragma once

#include <string>
#include <vector>

#include "api/document.h"
#include "renyi/plan.h"
#include "renyi/tradeoff.h"

namespace renyi::api {

struct TradeoffRequest {
  Plan plan;
  std::vector<double> type_one_errors{1e-6, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.5};
  ExactOptions options{};
};

struct TradeoffAnswer {
  std::vector<TradeoffPoint> points{};  // one for each type I error
  Interval advantage{};
  std::string note{};  // set if some intervals are too wide to be called exact
};

TradeoffRequest read_tradeoff(const Document& request);
TradeoffAnswer answer(const TradeoffRequest& asked);
std::string write(const Document& request, const TradeoffAnswer& answer);

}  // namespace renyi::api
