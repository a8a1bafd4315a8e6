// Finds the steps whose batches may overflow, wherever they are in a plan.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "renyi/extras/select.h"
#include "renyi/plan.h"

namespace renyi {

namespace overflow_file {
namespace {

class Collector {
 public:
  explicit Collector(Neighbors neighbors) : neighbors_(neighbors) {}

  void add(const Steps& steps, const std::string& path) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::string here = fmt::format("{}[{}]", path, i);
      if (const auto* mechanism = std::get_if<Mechanism>(&steps[i].what)) {
        add(*mechanism, here);
      } else {
        add(std::get<Steps>(steps[i].what), here + ".plan");
      }
    }
  }

  std::vector<Overflow> found() && { return std::move(found_); }

 private:
  void add(const Mechanism& mechanism, const std::string& path) {
    if (const auto* parallel = mechanism.get_if<Parallel>()) {
      for (std::size_t i = 0; i < parallel->parts().size(); ++i) {
        add(parallel->parts()[i], fmt::format("{}.parallel[{}]", path, i));
      }
    } else if (const auto* select = mechanism.get_if<Select>()) {
      add(select->steps(), path + ".select");
    } else if (const Sampling* sampling = mechanism.sampling();
               sampling != nullptr && sampling->scheme == Scheme::truncated_poisson) {
      found_.push_back({path, overflow_probability(*sampling, neighbors_)});
    }
  }

  Neighbors neighbors_;
  std::vector<Overflow> found_;
};

}  // namespace
}  // namespace overflow_file

std::vector<Overflow> overflows(const Plan& plan) {
  overflow_file::Collector collector(plan.neighbors());
  collector.add(plan.steps(), "steps");
  return std::move(collector).found();
}

}  // namespace renyi
