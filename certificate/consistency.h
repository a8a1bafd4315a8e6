// The answer of a certificate against its claims: whether they go together, and the answer that they prove. Nothing is
// recomputed here.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

// What the claims refute of the answer: each contradiction with its path and both numbers.
std::vector<std::string> contradictions(const Certificate& certificate);

// What the claims do not prove of the answer: bounds that lie inside of them, and figures beside a gap.
std::vector<std::string> unproven(const Certificate& certificate);

// Claims that the question asks for and that are missing, and others that are too much.
std::vector<std::string> claim_list_faults(const Certificate& certificate);

// The answer that a certificate states, everything in it proven by the claims: the fast answer moved to their safe
// side, upper ends at least theirs, lower ends at most. Where the certificate has a gap instead of a claim there is no
// exact figure, and a Renyi bound is infinite.
Answer settled(Answer fast, const Certificate& certificate);

}  // namespace renyi::certificate
