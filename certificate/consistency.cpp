#include "certificate/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace renyi::certificate {
namespace consistency_file {
namespace {

// What an upper bound of the answer is compared with; for lower bounds the endpoints are exchanged. A bound below the
// lower endpoint of a proof is refuted by it, one at or above its upper endpoint is proven.
enum class Bar { not_refuted, proven };

// Compares doubles of the answer with the endpoints of one claim after the other.
class Judge {
 public:
  Judge(const Certificate& certificate, Bar bar) : certificate_(certificate), answer_(certificate.answer), bar_(bar) {}

  std::vector<std::string> faults() {
    for (; index_ < certificate_.claims.size(); ++index_) judge(certificate_.claims[index_]);
    if (!answer_.exact && !has_exact_gap()) {
      faults_.emplace_back("answer.exact: unavailable, but the claims prove it");
    }
    return std::move(faults_);
  }

 private:
  void judge(const Claim& claim) {
    const Statement& statement = claim.statement;
    const auto& [lower, upper] = claim.proven.value;
    if (is_check(certificate_.question, statement)) {
      // At the answer's epsilon delta is at most the one in the question. The claims of epsilon prove it; this claim
      // can only refute it, since rounding may move its upper endpoint above.
      at_least(*certificate_.question.delta, lower, "question.delta");
    } else if (!is_exact(statement.kind)) {
      at_least(renyi_figure(answer_, statement), bar_ == Bar::proven ? upper : lower, path_in_answer(statement));
    } else if (answer_.exact) {
      const ExactInterval& stated = exact_figure(*answer_.exact, statement);
      const std::string path = path_in_answer(statement);
      at_least(stated.upper, bar_ == Bar::proven ? upper : lower, path + ".upper");
      at_most(stated.lower, bar_ == Bar::proven ? lower : upper, path + ".lower");
    }
  }

  void at_least(double bound, const Dyadic& end, std::string_view path) {
    if (bound >= rounded_up(end)) return;
    fault(path, bound, "below", decimal_below(end));
  }

  void at_most(double bound, const Dyadic& end, std::string_view path) {
    if (bound <= rounded_down(end)) return;
    fault(path, bound, "above", decimal_above(end));
  }

  void fault(std::string_view path, double bound, std::string_view side, std::string_view end) {
    faults_.push_back(fmt::format("{}: {} is {} {}, which claims[{}] proves ({})", path, bound, side, end, index_,
                                  describe(certificate_.claims[index_].statement)));
  }

  bool has_exact_gap() const {
    return std::any_of(certificate_.gaps.begin(), certificate_.gaps.end(),
                       [](const UncertifiedFigure& gap) { return is_exact(gap.statement.kind); });
  }

  const Certificate& certificate_;
  const Answer& answer_;
  Bar bar_;
  std::size_t index_ = 0;
  std::vector<std::string> faults_;
};

// Adds values of the answer for which the certificate has a reason why they are not certified instead of a claim.
void add_unproven(std::vector<std::string>& faults, const Certificate& certificate) {
  for (const UncertifiedFigure& gap : certificate.gaps) {
    const Statement& statement = gap.statement;
    if (is_check(certificate.question, statement)) continue;
    const bool is_stated = is_exact(statement.kind) ? certificate.answer.exact.has_value()
                                                    : std::isfinite(renyi_figure(certificate.answer, statement));
    if (!is_stated) continue;
    const std::string path = is_exact(statement.kind) ? "answer.exact" : path_in_answer(statement);
    faults.push_back(fmt::format("{}: stated, but nothing proves it: {}", path, describe(statement)));
  }
}

// The statements of a list; each is marked once it is found among those expected.
template <class Entry>
class Tally {
 public:
  explicit Tally(const std::vector<Entry>& entries) : entries_(entries), seen_(entries.size(), false) {}

  // Marks the first matching statement that is not yet marked; returns false if there is none.
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
}  // namespace consistency_file

std::vector<std::string> contradictions(const Certificate& certificate) {
  return consistency_file::Judge(certificate, consistency_file::Bar::not_refuted).faults();
}

std::vector<std::string> unproven(const Certificate& certificate) {
  std::vector<std::string> faults = consistency_file::Judge(certificate, consistency_file::Bar::proven).faults();
  consistency_file::add_unproven(faults, certificate);
  return faults;
}

std::vector<std::string> claim_list_faults(const Certificate& certificate) {
  std::vector<std::string> faults;
  consistency_file::Tally claims(certificate.claims);
  consistency_file::Tally gaps(certificate.gaps);
  for (const auto list : {asked_statements, check_statements}) {
    for (const Statement& statement : list(certificate.question, certificate.answer)) {
      if (claims.mark(statement) || gaps.mark(statement)) continue;
      faults.push_back(fmt::format("claims: missing: {}", describe(statement)));
    }
  }
  claims.add_faults(faults, "claims");
  gaps.add_faults(faults, "not_certified");
  return faults;
}

namespace consistency_file {
namespace {

void move(Answer& answer, const Claim& claim) {
  const double upper = rounded_up(claim.proven.value.upper);
  if (!is_exact(claim.statement.kind)) {
    double& bound = renyi_figure(answer, claim.statement);
    bound = std::max(bound, upper);
  } else if (answer.exact) {
    ExactInterval& figure = exact_figure(*answer.exact, claim.statement);
    figure.upper = std::max(figure.upper, upper);
    figure.lower = std::min(figure.lower, rounded_down(claim.proven.value.lower));
  }
}

void drop(Answer& answer, const UncertifiedFigure& gap) {
  if (!is_exact(gap.statement.kind)) {
    renyi_figure(answer, gap.statement) = std::numeric_limits<double>::infinity();
  } else if (answer.exact) {
    answer.exact.reset();
    answer.unavailable = fmt::format("not proven: {}: {}", describe(gap.statement), gap.why);
  }
}

}  // namespace
}  // namespace consistency_file

Answer settled(Answer fast, const Certificate& certificate) {
  const auto is_asked = [&](const Statement& statement) { return !is_check(certificate.question, statement); };
  for (const Claim& claim : certificate.claims) {
    if (is_asked(claim.statement)) consistency_file::move(fast, claim);
  }
  for (const UncertifiedFigure& gap : certificate.gaps) {
    if (is_asked(gap.statement)) consistency_file::drop(fast, gap);
  }
  return fast;
}

}  // namespace renyi::certificate
