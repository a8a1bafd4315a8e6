// Certificates: JSON documents that state the cost of a plan together with proven claims, which anybody can verify
// (docs/format/certificate.md). Link with renyi::certificate.
//
//     const std::string json = renyi::make_certificate(plan, {.delta = 1e-5});
//     renyi::verify_certificate(json).valid;  // true
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/extras/certify.h"
#include "renyi/plan.h"
#include "renyi/rdp.h"

namespace renyi {

// The question that a certificate answers: the epsilon at a `delta` in [0, 1], or the delta at a finite `epsilon`.
// Exactly one of the two must be set.
struct CertificateQuestion {
  std::optional<double> delta{};
  std::optional<double> epsilon{};
  std::optional<double> order{};  // order of the Renyi claims, in (1, 1e4] or infinite; if not set, the best one
};

// Makes a certificate as canonical JSON in one line. Its answer is that of the floating-point library, adjusted if
// necessary so that the proven claims imply it. Throws NotConverged if the answer contradicts the claims, and
// Unsupported if the plan has more than 64 different mechanisms or cannot be written as JSON.
[[nodiscard]] std::string make_certificate(const Plan& plan, const CertificateQuestion& question);

// The kinds of claims (docs/format/certificate.md).
enum class ClaimKind { rdp, renyi_epsilon, renyi_delta, epsilon, delta };
inline constexpr std::array all_claim_kinds{ClaimKind::rdp, ClaimKind::renyi_epsilon, ClaimKind::renyi_delta,
                                            ClaimKind::epsilon, ClaimKind::delta};
// Returns "rdp", "renyi-epsilon", "renyi-delta", "epsilon" or "delta".
[[nodiscard]] constexpr std::string_view to_string(ClaimKind kind) noexcept {
  switch (kind) {
    case ClaimKind::rdp: return "rdp";
    case ClaimKind::renyi_epsilon: return "renyi-epsilon";
    case ClaimKind::renyi_delta: return "renyi-delta";
    case ClaimKind::epsilon: return "epsilon";
    case ClaimKind::delta: return "delta";
  }
  return "";
}

// The subject of a claim without its value: one question that certified arithmetic can answer. Members that a kind does
// not use keep their defaults, so that equal statements have equal meanings.
struct ClaimStatement {
  ClaimKind kind = ClaimKind::rdp;
  double order = 1;                           // rdp, renyi-epsilon, renyi-delta
  Conversion conversion = Conversion::tight;  // renyi-epsilon, renyi-delta
  Direction direction = Direction::remove;    // rdp, epsilon, delta
  double at = 0;                              // the given delta of an epsilon, or the given epsilon of a delta

  bool operator==(const ClaimStatement&) const = default;
};

// What one claim of a certificate proves.
struct ProvenFigure {
  std::string claim{};         // the statement as text, for example "epsilon at delta 1e-05, remove"
  ClaimStatement statement{};  // the same as a value
  Enclosure value{};           // the enclosure that verification computed; it lies inside the claimed one
  double width = 0;            // the width of this enclosure, rounded up; may be infinite
  // "nothing" for a delta that may be 1 and for any value that may be infinite, "an upper bound only" if the lower
  // bound is 0; empty otherwise.
  std::string says{};
};

// The result of a verification. That a certificate is valid does not mean that it is about the expected plan: compare
// `plan` and `question` with it. For a proven number without a document, see certified::epsilon
// (renyi/extras/certify.h).
struct Verdict {
  bool valid = false;
  std::optional<Plan> plan{};          // the plan of the certificate; not set if it could not be read
  CertificateQuestion question{};      // the question of the certificate; empty if it could not be read
  std::vector<std::string> faults{};   // what is wrong, each with its JSON path
  std::size_t claims = 0;              // how many claims were recomputed
  std::size_t not_certified = 0;       // how many values of the question no method proves
  std::vector<ProvenFigure> proven{};  // if the certificate is valid: one entry per claim, in the same order
};

// Verifies a certificate: recomputes every claim by another method, or at another precision, than the one that made it,
// and checks that the claims imply the answer. Throws InvalidArgument if the text is not a certificate at all, and
// Unsupported if it has a later version of the format or a plan that is too large to check.
//
//     const renyi::Verdict verdict = renyi::verify_certificate(json);
//     for (const std::string& fault : verdict.faults) std::cerr << fault << "\n";
[[nodiscard]] Verdict verify_certificate(std::string_view json);

}  // namespace renyi
