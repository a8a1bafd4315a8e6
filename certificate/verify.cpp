#include <cmath>
#include <utility>

#include "certificate/judge.h"
#include "certificate/recompute.h"
#include "certificate/restate.h"
#include "certificate/structure.h"
#include "renyi/certificate.h"
#include "renyi/version.h"

namespace renyi {
namespace certificate {
namespace {

std::string worth_of(const Claim& claim) {
  const auto& [lower, upper] = claim.proven.value;
  const double most = rounded_up(upper);
  if (std::isinf(most) || (is_delta(claim.statement.kind) && most >= 1)) return "nothing";
  const Dyadic zero{};
  return lower == zero && upper != zero ? "an upper bound only" : "";
}

std::vector<ProvenFigure> figures_of(const std::vector<Claim>& claims) {
  std::vector<ProvenFigure> figures;
  for (const Claim& claim : claims) {
    const Enclosure& value = claim.proven.value;
    figures.push_back({describe(claim.statement), value, width(value), worth_of(claim)});
  }
  return figures;
}

// What can be wrong with a certificate whose claims are right.
std::vector<std::string> faults_of_answer(Certificate certificate, const std::vector<Claim>& found, bool is_ours) {
  if (is_ours) {
    if (auto faults = differences(certificate); !faults.empty()) return faults;
  }
  // What was found is narrower than what is claimed, and may say more.
  certificate.claims = found;
  return unproven(certificate);
}

}  // namespace
}  // namespace certificate

Verdict verify_certificate(std::string_view json) {
  using namespace certificate;
  const Structure structure = structure_of(json);
  Verdict verdict{.faults = structure.faults};
  if (!structure.certificate) return verdict;
  const Certificate& certificate = *structure.certificate;
  verdict.claims = certificate.claims.size();
  verdict.not_certified = certificate.gaps.size();
  const bool is_ours = certificate.library.renyi == version;
  const Recomputed found = recomputed(certificate, is_ours);
  verdict.faults.insert(verdict.faults.end(), found.faults.begin(), found.faults.end());
  if (verdict.faults.empty()) verdict.faults = faults_of_answer(certificate, found.claims, is_ours);
  verdict.valid = verdict.faults.empty();
  if (verdict.valid) verdict.proven = figures_of(found.claims);
  return verdict;
}

}  // namespace renyi
