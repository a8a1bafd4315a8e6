#include "renyi/error.h"

#include <fmt/format.h>

#include <utility>

namespace renyi {

std::string_view to_string(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument: return "invalid_argument";
    case ErrorKind::unsupported: return "unsupported";
    case ErrorKind::not_converged: return "not_converged";
    case ErrorKind::store_failure: return "store_failure";
    case ErrorKind::limit_reached: return "limit_reached";
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

std::string_view to_string(Limit limit) noexcept {
  switch (limit) {
    case Limit::time: return "time";
    case Limit::memory: return "memory";
    case Limit::interruption: return "interruption";
  }
  return "unknown";
}

LimitReached::LimitReached(Limit limit, std::string why, std::string instead)
    : Error(ErrorKind::limit_reached,
            limit == Limit::time     ? "time_limit"
            : limit == Limit::memory ? "memory"
                                     : "",
            fmt::format("{}; {}", why, instead)),
      limit_(limit),
      why_(std::move(why)),
      instead_(std::move(instead)) {}

std::string_view to_string(StoreFault fault) noexcept {
  switch (fault) {
    case StoreFault::busy: return "busy";
    case StoreFault::full: return "full";
    case StoreFault::read_only: return "read_only";
    case StoreFault::unsuitable: return "unsuitable";
    case StoreFault::corrupt: return "corrupt";
    case StoreFault::newer: return "newer";
    case StoreFault::unreachable: return "unreachable";
    case StoreFault::unknown: return "unknown";
    case StoreFault::rolled_back: return "rolled_back";
    case StoreFault::copied: return "copied";
  }
  return "unknown";
}

StoreFailure::StoreFailure(StoreFault fault, std::string why, std::string instead)
    : Error(ErrorKind::store_failure, "ledger", fmt::format("ledger: {}; {}", why, instead)),
      fault_(fault),
      why_(std::move(why)),
      instead_(std::move(instead)) {}

}  // namespace renyi
