// Compares the answer of a certificate with its claims: whether they are consistent, and which answer the claims prove.
// Nothing is recomputed here.
#pragma once

#include <string>
#include <vector>

#include "certificate/document.h"

namespace renyi::certificate {

// Returns what the claims refute of the answer: each contradiction with its path and both numbers.
std::vector<std::string> contradictions(const Certificate& certificate);

// Returns what the claims do not prove of the answer: bounds inside the enclosures, and values that are not certified.
std::vector<std::string> unproven(const Certificate& certificate);

// Returns the claims that the question requires and that are missing, and those that it does not require.
std::vector<std::string> claim_list_faults(const Certificate& certificate);

// Returns the answer that a certificate states, with everything in it proven by the claims: the floating-point answer
// moved outwards, so that its upper bounds are at least those of the claims and its lower bounds at most. Where the
// certificate has an UncertifiedFigure instead of a claim, there is no exact value, and a Renyi bound is infinite.
Answer settled(Answer fast, const Certificate& certificate);

}  // namespace renyi::certificate
