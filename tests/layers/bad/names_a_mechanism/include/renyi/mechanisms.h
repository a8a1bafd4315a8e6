#pragma once

struct Alias {
  int name;
};

struct Gaussian {
  static constexpr std::string_view kind = "gaussian";
};
