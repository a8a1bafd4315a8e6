#include "api/certificate.h"

#include "api/api.h"
#include "renyi/error.h"

namespace renyi::api {

CertifyAnswer answer(const CertifyRequest& asked) { return {read(make_certificate(asked.plan, asked.question))}; }

// Paths in errors are those of the request.
Verdict answer(const VerifyRequest& asked) {
  try {
    return verify_certificate(asked.certificate.text());
  } catch (const InvalidArgument& error) {
    throw error.within("certificate.");
  } catch (const Unsupported& error) {
    throw error.within("certificate.");
  }
}

}  // namespace renyi::api
