// Certificates: what a plan costs, proven, as a JSON document that anyone can check (docs/format/certificate.md).
// Link renyi::certificate.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "renyi/certify.h"
#include "renyi/plan.h"

namespace renyi {

// What to certify: the cost at `delta` in [0, 1], or at a finite `epsilon`; exactly one of the two.
struct CertificateQuestion {
  std::optional<double> delta{};
  std::optional<double> epsilon{};
  std::optional<double> order{};  // of the Renyi claims, in (1, 1e4] or infinite; nothing: the best one
};

// The certificate as canonical JSON in one line. What the fast library answers is stated beside what is proven; throws
// NotConverged if the two contradict each other, Unsupported for a plan of more than 64 different mechanisms or one
// that has no JSON form.
std::string make_certificate(const Plan& plan, const CertificateQuestion& question);

struct Verdict {
  bool valid = false;
  std::vector<std::string> faults{};  // what is wrong, each with its JSON path
  std::size_t claims = 0;             // how many were recomputed
  std::size_t not_certified = 0;      // how many figures of the question no method proves
};

// Recomputes every claim at another precision, by another route where there is one. Text that is no certificate at all
// throws InvalidArgument; one of a later version, or of a plan too large to check, Unsupported.
Verdict verify_certificate(std::string_view json);

}  // namespace renyi
