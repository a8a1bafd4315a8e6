#include "certify/arb.h"
#include "renyi/certify.h"

namespace renyi {

bool can_certify() noexcept { return true; }

// FLINT 3 has Arb inside and its version for both.
#ifdef ARB_VERSION
std::string_view arb_version_used() noexcept { return arb_version; }
#else
std::string_view arb_version_used() noexcept { return flint_version; }
#endif

}  // namespace renyi
