// Suggestions for misspelt names: what the writer of an unknown key, value, flag or command may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace renyi::names {

// Returns those of `names` that the writer of `word` may have meant, at most three; empty if none is near. Letters of
// either case, hyphens and underscores count as the same. Other words for the same thing (sigma for noise_multiplier)
// come first, then names that begin with the word, then those that differ in few letters.
std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string_view> names);

// Returns why a word of training libraries has no counterpart here (the learning rate does not change the cost); empty
// for other words.
std::string_view remark_on(std::string_view word);

// Returns " (did you mean gaussian?)", or the remark in parentheses, to be put behind the unknown word; empty if there
// is nothing to suggest.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);

}  // namespace renyi::names
