// Rows of tests/truth/data: one JSON object a line, values that a double would
// round are decimal strings.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "renyi/mechanism.h"

namespace renyi::test {

using Row = nlohmann::json;

inline std::vector<Row> read_table(const std::string& name) {
  std::ifstream file(std::string(TEST_DATA_DIR "/") + name);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) rows.push_back(Row::parse(line));
  return rows;
}

// Reads a number with 64 bits, so that the comparison is more precise than the compared values.
inline long double decimal(const Row& row, const char* key) {
  return std::strtold(row.at(key).get<std::string>().c_str(), nullptr);
}

// The mechanism a row names by its kind and parameters.
inline Mechanism mechanism_of(const Row& row) {
  const Mechanism* known = find_mechanism(row.at("mechanism").get<std::string>());
  if (known == nullptr) throw std::runtime_error("no such mechanism: " + row.dump());
  Mechanism result = *known;
  for (const Parameter& p : known->parameters()) {
    result = result.with(p.name, row.at(std::string(p.name)).get<double>());
  }
  return result;
}

}  // namespace renyi::test
