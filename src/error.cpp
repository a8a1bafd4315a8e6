#include "renyi/error.h"

#include <fmt/format.h>

#include <utility>

namespace renyi {

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument: return "invalid_argument";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::not_converged: return "not_converged";
  }
  return "unknown";
}

Error::Error(ErrorKind kind, std::string path, const std::string& message)
    : std::runtime_error(message), kind_(kind), path_(std::move(path)) {}

InvalidArgument::InvalidArgument(std::string field, std::string value, std::string allowed)
    : Error(ErrorKind::invalid_argument, field, fmt::format("{}: got {}, allowed: {}", field, value, allowed)),
      value_(std::move(value)),
      allowed_(std::move(allowed)) {}

InvalidArgument InvalidArgument::within(std::string_view prefix) const {
  return {fmt::format("{}{}", prefix, path()), value_, allowed_};
}

Unsupported::Unsupported(std::string field, std::string why, std::string instead)
    : Error(ErrorKind::unsupported, field, fmt::format("{}{}{}; {}", field, field.empty() ? "" : ": ", why, instead)),
      why_(std::move(why)),
      instead_(std::move(instead)) {}

Unsupported Unsupported::within(std::string_view prefix) const {
  return {fmt::format("{}{}", prefix, path()), why_, instead_};
}

NotConverged::NotConverged(std::string where)
    : Error(ErrorKind::not_converged, "", fmt::format("not converged: {}", where)) {}

}  // namespace renyi
