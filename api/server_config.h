// The file of a server's settings: a JSON object with one member for each flag of `renyi serve`, by its name without
// dashes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace renyi::api {

// How a member is written: a text, a whole number, true or false, or a list of texts.
enum class SettingKind { text, count, flag, list };
struct Setting {
  std::string name{};  // "listen"
  SettingKind kind = SettingKind::text;
};

// Returns name and text of each member: a number in digits, lists joined by commas, a flag as "" if it is true and left
// out if not. Throws InvalidArgument for what is not among the settings, or of another kind.
std::vector<std::pair<std::string, std::string>> read_server_config(std::string_view text,
                                                                    const std::vector<Setting>& settings);

}  // namespace renyi::api
