#include "cli/transcript.h"

#include <fstream>
#include <sstream>

namespace renyi::test {
namespace transcript_file {
namespace {

// Takes lines one by one and builds exchanges of them.
class Collector {
 public:
  void take(int number, const std::string& line) {
    if (line.starts_with("$ ")) {
      exchanges_.push_back({number, line.substr(2), {}, 0, {}, 0});
    } else if (exchanges_.empty()) {
      return;
    } else if (line.starts_with("> ") && exchanges_.back().expected.empty()) {
      exchanges_.back().command += '\n' + line.substr(2);
    } else if (line.starts_with("? ")) {
      exchanges_.back().exit_code = std::stoi(line.substr(2));
      exchanges_.back().exit_line = number;
    } else {
      exchanges_.back().expected.push_back(line);
      exchanges_.back().places.push_back(number);
    }
  }

  std::vector<Exchange> result() && {
    for (Exchange& exchange : exchanges_) {
      while (!exchange.expected.empty() && exchange.expected.back().empty()) exchange.expected.pop_back();
      exchange.places.resize(exchange.expected.size());
    }
    return std::move(exchanges_);
  }

 private:
  std::vector<Exchange> exchanges_;
};

bool matches_from(const std::vector<std::string>& expected, std::size_t e, const std::vector<std::string>& actual,
                  std::size_t a) {
  if (e == expected.size()) return a == actual.size();
  if (expected[e] == "...") {
    for (std::size_t next = a; next <= actual.size(); ++next) {
      if (matches_from(expected, e + 1, actual, next)) return true;
    }
    return false;
  }
  return a < actual.size() && expected[e] == actual[a] && matches_from(expected, e + 1, actual, a + 1);
}

}  // namespace
}  // namespace transcript_file

std::vector<Exchange> read_transcript(const std::filesystem::path& file) {
  std::ifstream in(file);
  transcript_file::Collector collector;
  int number = 0;
  for (std::string line; std::getline(in, line);) collector.take(++number, line);
  return std::move(collector).result();
}

std::vector<Exchange> read_document(const std::filesystem::path& file) {
  std::ifstream in(file);
  transcript_file::Collector collector;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside) {
      collector.take(number, line);
    }
  }
  return std::move(collector).result();
}

bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  return transcript_file::matches_from(expected, 0, actual, 0);
}

}  // namespace renyi::test
