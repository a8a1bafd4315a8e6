// Suggestions for misspelt names, the same for flags, commands, plan files and requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace renyi::api {

// Returns those of `names` that the writer of `word` may have meant, at most three; empty if none is near.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

// Returns why a word of training libraries has no counterpart here; empty for other words.
std::string_view remark_on(std::string_view word);

// Returns " (did you mean gaussian?)", to be put behind the unknown word; empty if there is nothing to suggest.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

}  // namespace renyi::api
