#include "api/certainty.h"

namespace renyi::api {

std::string_view to_string(Certainty certainty) noexcept {
  switch (certainty) {
    case Certainty::estimate: return "estimate";
    case Certainty::bound: return "bound";
    case Certainty::proven: return "proven";
  }
  return "estimate";
}

std::string_view in_words(Certainty certainty) noexcept {
  switch (certainty) {
    case Certainty::estimate: return "estimates, no bounds";
    case Certainty::bound: return "bounds in floating point, their errors counted and cross-checked";
    case Certainty::proven: return "proven in ball arithmetic";
  }
  return "estimates, no bounds";
}

}  // namespace renyi::api
