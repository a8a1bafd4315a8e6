// The boundary to C. No exception crosses it, because every function of c.h runs inside one of these guards; texts that
// are returned belong to the C caller.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "renyi/c.h"
#include "renyi/error.h"
#include "renyi/limits.h"

namespace renyi::capi {

// Fills *error, if it is not NULL, and returns the status.
renyi_status report(renyi_error* error, renyi_status status, std::string_view field, std::string_view message) noexcept;

renyi_status status_of(ErrorKind kind) noexcept;

// Throws InvalidArgument if a required pointer is NULL.
void require(const void* pointer, std::string_view name, std::string_view allowed);

// The limits that renyi_set_time_limit set for this thread.
Limits limits_of_thread();

template <class Work>
renyi_status guarded(renyi_error* error, const Work& work) noexcept {
  try {
    const LimitScope limits(limits_of_thread());
    work();
    return report(error, RENYI_OK, "", "");
  } catch (const Error& failure) {
    return report(error, status_of(failure.kind()), failure.path(), failure.what());
  } catch (const std::bad_alloc&) {
    return report(error, RENYI_OUT_OF_MEMORY, "", "out of memory");
  } catch (const std::exception& failure) {
    return report(error, RENYI_INTERNAL, "", failure.what());
  } catch (...) {
    return report(error, RENYI_INTERNAL, "", "an unknown exception");
  }
}

// Returns how many bytes of a text fit into `size` bytes with the NUL at its end, without cutting a character.
std::size_t fitting_length(std::string_view text, std::size_t size) noexcept;

// Copies a text into a member of a struct, and cuts it if it is too long.
template <std::size_t size>
void copy_text(char (&to)[size], std::string_view text) noexcept {
  std::fill(std::copy_n(text.data(), fitting_length(text, size), to), to + size, '\0');
}

// A result can be marked as failed; others have no field for it.
inline void mark_failed(renyi_result& result, renyi_status status) noexcept { result.exact_status = status; }
template <class Other>
void mark_failed(Other& /*other*/, renyi_status /*status*/) noexcept {}

// Stores the result of `work` in *out, or `worst` if it fails.
template <class Out, class Work>
renyi_status answered(Out* out, const Out& worst, renyi_error* error, const Work& work) noexcept {
  const renyi_status status = guarded(error, [&] {
    require(out, "out", "a place for the result");
    *out = work();
  });
  if (status == RENYI_OK || out == nullptr) return status;
  *out = worst;
  mark_failed(*out, status);
  return status;
}

// Returns the pointer that `work` returns, or nullptr if it fails.
template <class Work>
auto made(renyi_error* error, const Work& work) noexcept -> decltype(work()) {
  decltype(work()) result = nullptr;
  guarded(error, [&] { result = work(); });
  return result;
}

// Returns a copy that ends with NUL and is released by renyi_free. Throws std::bad_alloc.
char* c_text(std::string_view text);

}  // namespace renyi::capi
