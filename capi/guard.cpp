#include "capi/guard.h"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>

// C programs were compiled with these constants (docs/versioning.md): a change here requires a new ABI version.
static_assert(RENYI_ABI_VERSION == 1);
static_assert(sizeof(renyi_status) == 4 && sizeof(renyi_error) == 640 && sizeof(renyi_result) == 40);

namespace renyi::capi {
namespace guard_file {
namespace {

// UTF-8 continuation bytes have the form 10xxxxxx; a cut must not fall before one.
std::size_t cut_before(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return at;
}

constinit thread_local std::optional<std::chrono::nanoseconds> time_limit;

}  // namespace
}  // namespace guard_file

Limits limits_of_thread() { return {.time = guard_file::time_limit}; }

std::size_t fitting_length(std::string_view text, std::size_t size) noexcept {
  return text.size() < size ? text.size() : guard_file::cut_before(text, size - 1);
}

renyi_status report(renyi_error* error, renyi_status status, std::string_view field,
                    std::string_view message) noexcept {
  if (error == nullptr) return status;
  error->status = status;
  copy_text(error->field, field);
  copy_text(error->message, message);
  return status;
}

renyi_status status_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::invalid_argument: return RENYI_INVALID_ARGUMENT;
    case ErrorKind::unsupported: return RENYI_UNSUPPORTED;
    case ErrorKind::not_converged: return RENYI_NOT_CONVERGED;
    case ErrorKind::store_failure: return RENYI_STORE_FAILURE;
    case ErrorKind::limit_reached: return RENYI_LIMIT_REACHED;
  }
  return RENYI_INTERNAL;
}

void require(const void* pointer, std::string_view name, std::string_view allowed) {
  if (pointer == nullptr) throw InvalidArgument(std::string(name), "NULL", std::string(allowed));
}

char* c_text(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

}  // namespace renyi::capi

renyi_status renyi_set_time_limit(double seconds, renyi_error* error) {
  return renyi::capi::guarded(error, [&] {
    auto& limit = renyi::capi::guard_file::time_limit;
    limit =
        std::isinf(seconds) && seconds > 0 ? std::nullopt : std::optional(renyi::time_of_seconds("seconds", seconds));
  });
}

void renyi_free(char* text) { std::free(text); }
