// The answer that a certificate states: everything in it is proven by the claims.
#pragma once

#include "certificate/document.h"

namespace renyi::certificate {

// The fast answer moved to the safe side of the claims: upper ends are at least theirs, lower ends at most. Where the
// certificate has a gap instead of a claim there is no exact figure, and a Renyi bound is infinite.
Answer settled(Answer fast, const Certificate& certificate);

}  // namespace renyi::certificate
