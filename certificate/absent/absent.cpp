// The interface of a build without Arb: both functions throw an error that says how to get Arb.
#include "certify/absent/refuse.h"
#include "renyi/extras/certificate.h"

namespace renyi {

std::string make_certificate(const Plan&, const CertificateQuestion&) { certify::refuse(); }
Verdict verify_certificate(std::string_view) { certify::refuse(); }

}  // namespace renyi
