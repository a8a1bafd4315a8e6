// What the members of requests are, in a few words, for the description of the server's interface.
#pragma once

#include <string_view>

namespace renyi::api {

struct MemberText {
  std::string_view key;
  std::string_view type;  // a type of JSON; empty if there are several
  std::string_view text;
};

// Returns the row of a member. Throws std::logic_error for one that has none.
const MemberText& member_text(std::string_view key);

}  // namespace renyi::api
