// Strings.
#include <string>

namespace text {

// bugprone-string-constructor
std::string swaps_count_and_letter() { return std::string('x', 50); }

// bugprone-string-integer-assignment
void assigns_a_letter(std::string& line, int number) { line = number; }

// bugprone-string-literal-with-embedded-nul
const char* const nul_and_four = "\0x42";

// bugprone-suspicious-missing-comma
const char* const words[] = {
    "one",
    "two",
    "three",
    "four",
    "five",
    "six"
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
};

// performance-faster-string-find
std::size_t finds_a_string(const std::string& line) { return line.find("x"); }

// performance-inefficient-string-concatenation
std::string copies_again_and_again() {
  std::string line;
  for (int i = 0; i < 10; ++i) {
    line = line + "x";
  }
  return line;
}

// readability-container-size-empty
bool counts_to_see_nothing(const std::string& line) { return line.size() == 0; }

// readability-redundant-string-init
void says_nothing_twice() { std::string line = ""; }

}  // namespace text
