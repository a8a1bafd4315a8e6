// The engine of web pages and of Node: the table of requests behind one function. JavaScript puts a line into memory
// that it takes from malloc, and reads the answer where the function says (web/engine/index.js).
#include <cstddef>
#include <string>
#include <string_view>

#include "api/api.h"
#include "renyi/version.h"

namespace renyi::wasm {
namespace engine_file {
namespace {

// The answer stays readable until the next question; there is one thread.
std::string& last_answer() {
  static std::string answer;
  return answer;
}

}  // namespace
}  // namespace engine_file
}  // namespace renyi::wasm

extern "C" {

// Takes one line of JSON and returns one line of JSON, ended by a zero.
const char* renyi_answer(const char* request, std::size_t length) {
  std::string& answer = renyi::wasm::engine_file::last_answer();
  answer = renyi::api::answer(std::string_view(request, length));
  return answer.c_str();
}

const char* renyi_version() { return renyi::version.data(); }

}  // extern "C"
