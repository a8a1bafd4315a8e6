#include "api/statement/contributions.h"

#include <fmt/format.h>

#include <cstdint>

namespace renyi::api {
namespace {

struct Rule {
  std::string mechanism{};
  std::int64_t most = 1;
  std::int64_t apart = 1;
  bool fixed_order = false;
};

std::string rounds(std::int64_t number) { return fmt::format("{} round{}", number, number == 1 ? "" : "s"); }

// What is contributed once is not apart from anything.
std::string spacing(const Rule& rule) {
  if (rule.most == 1) return "";
  return fmt::format(", {} {} apart", rule.fixed_order ? "exactly" : "at least", rounds(rule.apart));
}

std::string verdict(const Rule& rule) {
  if (rule.most == 1) {
    return "A data loader that passes over the records several times (epochs) exceeds that, and then the figures here "
           "are no bound.";
  }
  const std::string start = fmt::format("A data loader that passes over the records more than {} times", rule.most);
  const std::string end = ", and then the figures here are no bound.";
  if (rule.fixed_order) return start + ", or that shuffles them anew for an epoch, breaks that" + end;
  if (rule.apart == 1) return start + " exceeds that" + end;
  return start + ", or that brings a record back sooner, as shuffling anew for each epoch may, breaks that" + end;
}

ContributionWords in_words(const Rule& rule) {
  const std::string apart = spacing(rule);
  return {.in_short = fmt::format("each record in at most {} of {}{}", rounds(rule.most), rule.mechanism, apart),
          .condition = fmt::format("each record contributes to at most {} of each run of {}{}", rounds(rule.most),
                                   rule.mechanism, apart),
          .verdict = verdict(rule)};
}

}  // namespace

std::vector<ContributionWords> contributions_in_words(const Json& facts) {
  std::vector<ContributionWords> all;
  if (!facts.contains("contributions")) return all;
  for (const Json& rule : facts.at("contributions")) {
    all.push_back(in_words({.mechanism = rule.at("mechanism").get<std::string>(),
                            .most = rule.at("participations").get<std::int64_t>(),
                            .apart = rule.at("min_separation").get<std::int64_t>(),
                            .fixed_order = rule.at("fixed_order").get<bool>()}));
  }
  return all;
}

}  // namespace renyi::api
