// Texts in comma-separated values, for programs and for spreadsheets.
#pragma once

#include <string>
#include <string_view>

namespace renyi::api {

// Appends a text as a cell: in quotes if it needs them (RFC 4180), its line ends as blanks, so that a row is a line.
// A spreadsheet would compute a text that begins with = + - @ or a tab, such as a comment that somebody else wrote; an
// apostrophe in front says that it is text. A number that is written as text stays one.
void append_cell(std::string& out, std::string_view words);

}  // namespace renyi::api
