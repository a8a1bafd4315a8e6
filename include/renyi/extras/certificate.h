// Certificates: what a plan costs, proven, as a JSON document that anyone can check (docs/format/certificate.md).
// Link renyi::certificate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/extras/certify.h"
#include "renyi/plan.h"

namespace renyi {

// What to certify: the cost at `delta` in [0, 1], or at a finite `epsilon`; exactly one of the two.
struct CertificateQuestion {
  std::optional<double> delta{};
  std::optional<double> epsilon{};
  std::optional<double> order{};  // of the Renyi claims, in (1, 1e4] or infinite; nothing: the best one
};

// The certificate as canonical JSON in one line. Its answer is what the fast library says, moved to the safe side of
// what is proven. Throws NotConverged if the two contradict each other, Unsupported for a plan of more than 64
// different mechanisms or one that has no JSON form.
std::string make_certificate(const Plan& plan, const CertificateQuestion& question);

// What one claim proves.
struct ProvenFigure {
  std::string claim{};  // which figure: "epsilon at delta 1e-05, remove"
  Enclosure value{};    // as it was recomputed: inside of what is claimed
  double width = 0;     // of that, rounded up; may be infinite
  // "nothing" of a delta that may be 1 and of any figure that may be infinite, "an upper bound only" where the lower
  // end is 0; empty otherwise.
  std::string says{};
};

struct Verdict {
  bool valid = false;
  std::vector<std::string> faults{};   // what is wrong, each with its JSON path
  std::size_t claims = 0;              // how many were recomputed
  std::size_t not_certified = 0;       // how many figures of the question no method proves
  std::vector<ProvenFigure> proven{};  // of a valid certificate, one for each claim, in their order
};

// Recomputes every claim, by another method or at another precision than it was made, and holds the answer against what
// is proven. Text that is no certificate at all throws InvalidArgument; one of a later version of the format, or of a
// plan too large to check, Unsupported.
Verdict verify_certificate(std::string_view json);

}  // namespace renyi
