#include <fmt/format.h>

#include <optional>
#include <utility>

#include "certificate/judge.h"
#include "certificate/structure.h"
#include "renyi/certificate.h"
#include "renyi/error.h"
#include "renyi/exact.h"
#include "renyi/plan.h"

namespace renyi {
namespace certificate {
namespace {

std::string shown(const Enclosure& enclosure) {
  constexpr int enough_digits = 25;
  return fmt::format("[{}, {}]", decimal_below(enclosure.lower, enough_digits),
                     decimal_above(enclosure.upper, enough_digits));
}

bool has_exact_figures(const Plan& plan) {
  try {
    const ExactAccountant accountant(plan);
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

// Recomputes a certificate's figures, one entry after the other.
class Recomputation {
 public:
  explicit Recomputation(Certificate certificate)
      : certificate_(std::move(certificate)),
        first_(certificate_.plan, Route::first),
        second_(certificate_.plan, Route::second) {}

  // Adds to the faults known so far.
  void run(std::vector<std::string>& faults) {
    for_each(certificate_.claims, "claims", faults);
    for_each(certificate_.gaps, "not_certified", faults);
    // Claims may be as wide as one likes: the answer has to agree with what was found, too.
    if (faults.empty()) faults = contradictions(certificate_);
  }

 private:
  template <class Entry>
  void for_each(std::vector<Entry>& entries, std::string_view path, std::vector<std::string>& faults) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (const auto fault = refute(entries[i])) {
        faults.push_back(fmt::format("{}[{}]: {}: {}", path, i, describe(entries[i].statement), *fault));
      }
    }
  }

  // What is wrong with a claim; nothing if it is proven by the second route.
  std::optional<std::string> refute(Claim& claim) {
    try {
      const Enclosure claimed = claim.proven.value;
      claim.proven.value = second_.prove(claim.statement).value;
      if (contains(claimed, claim.proven.value)) return std::nullopt;
      return fmt::format("the recomputed enclosure {} is not inside the claimed {}", shown(claim.proven.value),
                         shown(claimed));
    } catch (const Error& error) {
      return fmt::format("cannot be recomputed: {}", error.what());
    }
  }

  // A claim may be left out only where there is none to make; and where no law of the loss is known, the answer has no
  // exact figure.
  std::optional<std::string> refute(const Gap& gap) {
    try {
      first_.prove(gap.statement);
      second_.prove(gap.statement);
      return "can be certified, so it may not be left out";
    } catch (const Unsupported&) {
      if (certificate_.answer.exact && !has_exact_figures(certificate_.plan))
        return "the answer has a figure where there can be none";
      return std::nullopt;
    } catch (const NotConverged&) {
      return std::nullopt;
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  }

  Certificate certificate_;
  Prover first_;
  Prover second_;
};

}  // namespace

}  // namespace certificate

Verdict verify_certificate(std::string_view json) {
  using namespace certificate;
  Structure structure = structure_of(json);
  Verdict verdict{.valid = false, .faults = std::move(structure.faults), .claims = 0, .not_certified = 0};
  if (!structure.certificate) return verdict;
  verdict.claims = structure.certificate->claims.size();
  verdict.not_certified = structure.certificate->gaps.size();
  Recomputation(*std::move(structure.certificate)).run(verdict.faults);
  verdict.valid = verdict.faults.empty();
  return verdict;
}

}  // namespace renyi
