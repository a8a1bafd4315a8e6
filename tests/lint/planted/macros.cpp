// What is wrong before the compiler sees it.
#include <string>

// modernize-deprecated-headers
#include <math.h>

namespace macros {

// bugprone-lambda-function-name
const char* names_a_lambda() {
  return [] { return __func__; }();
}

// bugprone-macro-parentheses
#define PLANTED_SUM(a, b) a + b

// bugprone-macro-repeated-side-effects
#define PLANTED_MAX(a, b) ((a) > (b) ? (a) : (b))
int counts_twice(int i) { return PLANTED_MAX(i++, 5); }

}  // namespace macros
