// Transcripts: commands and what they print, in a file or in a document.
//
//   $ renyi epsilon plan.json --delta 1e-5
//   > a continuation of the command, after a line break
//   expected output, standard error after standard output
//   ...
//   ? 2
//
// "..." alone on a line stands for any lines; "? N" is the expected exit code (0
// when there is none). Lines before the first command are comments; blank lines
// at the end of an expected output do not count.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace renyi::test {

struct Exchange {
  int line = 0;  // line number of the command
  std::string command;
  std::vector<std::string> expected;
  int exit_code = 0;
  std::vector<int> places;  // line numbers of the expected output
  int exit_line = 0;        // line number of "? N", 0 when there is none
};

// Reads a .transcript file.
std::vector<Exchange> read_transcript(const std::filesystem::path& file);

// Reads all ```console blocks of a Markdown document.
std::vector<Exchange> read_document(const std::filesystem::path& file);

// Does the output match, with "..." standing for any lines?
bool matches(const std::vector<std::string>& expected, const std::vector<std::string>& actual);

}  // namespace renyi::test
