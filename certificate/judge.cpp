#include "certificate/judge.h"

#include <fmt/format.h>

#include <cstddef>

namespace renyi::certificate {
namespace {

// Compares doubles of the answer with the ends of one claim after the other.
class Judge {
 public:
  explicit Judge(const Certificate& certificate) : certificate_(certificate) {}

  std::vector<std::string> faults() {
    for (; index_ < certificate_.claims.size(); ++index_) judge(certificate_.claims[index_]);
    return std::move(faults_);
  }

 private:
  void judge(const Claim& claim) {
    const Answer& answer = certificate_.answer;
    const auto direction = claim.statement.direction;
    switch (claim.statement.kind) {
      case Kind::rdp:
        at_least(direction == Direction::remove ? answer.rdp_remove : answer.rdp_add, claim,
                 fmt::format("answer.rdp.{}", renyi::to_string(direction)));
        break;
      case Kind::renyi_epsilon: at_least(answer.renyi, claim, "answer.renyi.epsilon"); break;
      case Kind::renyi_delta: at_least(answer.renyi, claim, "answer.renyi.delta"); break;
      case Kind::epsilon: overlaps(claim); break;
      case Kind::delta:
        // At the answer's epsilon, delta is at most the one asked about.
        certificate_.question.delta ? at_least(*certificate_.question.delta, claim, "question.delta") : overlaps(claim);
    }
  }

  // An upper bound lies on or above the lower end of what is proven. rounded_up is the least double there.
  void at_least(double bound, const Claim& claim, std::string_view path) {
    if (bound >= rounded_up(claim.proven.value.lower)) return;
    faults_.push_back(fmt::format("{}: {} is below {}, which claims[{}] proves ({})", path, bound,
                                  decimal_below(claim.proven.value.lower), index_, describe(claim.statement)));
  }

  void at_most(double bound, const Claim& claim, std::string_view path) {
    if (bound <= rounded_down(claim.proven.value.upper)) return;
    faults_.push_back(fmt::format("{}: {} is above {}, which claims[{}] proves ({})", path, bound,
                                  decimal_above(claim.proven.value.upper), index_, describe(claim.statement)));
  }

  void overlaps(const Claim& claim) {
    if (!certificate_.answer.exact) {
      faults_.push_back(
          fmt::format("answer.exact: unavailable, but claims[{}] proves it ({})", index_, describe(claim.statement)));
      return;
    }
    const Direction direction = claim.statement.direction;
    const ExactFigure& stated = figure(*certificate_.answer.exact, direction);
    const std::string path = fmt::format("answer.exact.{}", renyi::to_string(direction));
    at_least(stated.upper, claim, path + ".upper");
    at_most(stated.lower, claim, path + ".lower");
  }

  const Certificate& certificate_;
  std::size_t index_ = 0;
  std::vector<std::string> faults_;
};

// The statements of a list, each marked once it is found among those expected.
template <class Entry>
class Tally {
 public:
  explicit Tally(const std::vector<Entry>& entries) : entries_(entries), seen_(entries.size(), false) {}

  // Marks the first one not yet marked; false if there is none.
  bool mark(const Statement& statement) {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (seen_[i] || !(entries_[i].statement == statement)) continue;
      seen_[i] = true;
      in_order_ = in_order_ && i == marked_;
      ++marked_;
      return true;
    }
    return false;
  }

  void add_faults(std::vector<std::string>& faults, std::string_view path) const {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (seen_[i]) continue;
      faults.push_back(fmt::format("{}[{}]: no claim of this question: {}", path, i, describe(entries_[i].statement)));
    }
    if (faults.empty() && !in_order_) faults.push_back(fmt::format("{}: not in their order", path));
  }

 private:
  const std::vector<Entry>& entries_;
  std::vector<bool> seen_;
  std::size_t marked_ = 0;
  bool in_order_ = true;
};

}  // namespace

std::vector<std::string> contradictions(const Certificate& certificate) { return Judge(certificate).faults(); }

std::vector<std::string> misfits(const Certificate& certificate) {
  std::vector<std::string> faults;
  Tally claims(certificate.claims);
  Tally gaps(certificate.gaps);
  for (const Statement& statement : statements(certificate.question, certificate.answer)) {
    if (claims.mark(statement) || gaps.mark(statement)) continue;
    faults.push_back(fmt::format("claims: missing: {}", describe(statement)));
  }
  claims.add_faults(faults, "claims");
  gaps.add_faults(faults, "not_certified");
  return faults;
}

}  // namespace renyi::certificate
