// Reports versions, and answers every operation as JSON.
#include "api/api.h"
#include "capi/guard.h"
#include "renyi/c.h"
#include "renyi/version.h"

namespace api = renyi::api;
namespace capi = renyi::capi;

namespace call_file {
namespace {

constexpr std::string_view no_request =
    R"({"error":{"kind":"invalid_argument","message":"request: got NULL, allowed: a JSON text","path":"request"}})";

}  // namespace
}  // namespace call_file

int renyi_abi_version(void) { return RENYI_ABI_VERSION; }

const char* renyi_version(void) { return renyi::version.data(); }

char* renyi_call(const char* request) {
  return capi::made(nullptr, [&] {
    if (request == nullptr) return capi::c_text(call_file::no_request);
    return capi::c_text(api::answer_or_throw(request));
  });
}
