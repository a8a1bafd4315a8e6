#include "cli/record.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace renyi::test {

using nlohmann::json;

Record::Record(const std::filesystem::path& file)
    : content_{{"file", file.generic_string()}, {"exchanges", json::array()}} {}

void Record::add(const Exchange& exchange, const Outcome& outcome) {
  content_["exchanges"].push_back({{"line", exchange.line},
                                   {"command", exchange.command},
                                   {"expected", exchange.expected},
                                   {"places", exchange.places},
                                   {"exit_line", exchange.exit_line},
                                   {"exit_codes", {exchange.exit_code, outcome.exit_code}},
                                   {"matches", matches(exchange.expected, outcome.lines)},
                                   {"actual", outcome.lines}});
}

// Bytes that are no UTF-8 are replaced by U+FFFD, which tests/bless does not write.
Record::~Record() {
  const char* directory = std::getenv("RENYI_RECORD");
  if (directory == nullptr) return;
  std::string name = content_["file"];
  std::replace(name.begin(), name.end(), '/', ':');
  std::ofstream(std::filesystem::path(directory) / (name + ".json"))
      << content_.dump(1, ' ', false, json::error_handler_t::replace) << '\n';
}

}  // namespace renyi::test
