#include "worlds/claim.h"

#include <fmt/format.h>

#include <optional>

#include "exact/privacy_profile.h"
#include "renyi/exact.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi::worlds {
namespace claim_file {
namespace {

void put_rdp(const Plan& plan, std::optional<Direction> direction, Claim& claim) {
  const auto bounds = rdp(plan, orders, {.direction = direction});
  for (std::size_t i = 0; i < orders.size(); ++i) claim.rdp.at(i) = bounds.at(i).upper();
}

}  // namespace
}  // namespace claim_file

Claims claims(const std::string& plan) {
  const Plan read = read_plan(plan);
  Claims result;
  claim_file::put_rdp(read, Direction::remove, result.remove);
  claim_file::put_rdp(read, Direction::add, result.add);
  claim_file::put_rdp(read, {}, result.worst);
  const PrivacyProfile accountant(read);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const ExactAnswer answer = accountant.delta(epsilons.at(i));
    result.remove.delta.at(i) = answer.remove.upper;
    result.add.delta.at(i) = answer.add.upper;
    result.worst.delta.at(i) = answer.worst.upper;
  }
  return result;
}

std::string step_text(const Sampler& sampler, const Mechanism& mechanism, int count) {
  const std::string sampling = sampler.json.empty() ? "" : R"(,"sampling":)" + sampler.json;
  return fmt::format(R"({{{}{},"count":{}}})", mechanism.json, sampling, count);
}

std::string plan_text(Neighbors relation, const std::string& steps, int unit) {
  const std::string units = unit == 1 ? "" : fmt::format(R"("unit":{},)", unit);
  return fmt::format(R"({{"renyi":1,"neighbors":"{}",{}"steps":[{}]}})", to_string(relation), units, steps);
}

}  // namespace renyi::worlds
