#include "filter/checksum.h"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "json/write.h"
#include "renyi/error.h"

namespace renyi::filter {

std::string checksum_of(std::string_view text) {
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> crc;
  crc.process_bytes(text.data(), text.size());
  return fmt::format("crc64:{:016x}", crc.checksum());
}

std::string checksum(json::Json document) {
  document.erase("checksum");
  return checksum_of(json::write(document));
}

void check_checksum(const json::Field& document) {
  const json::Field stated = document.require("checksum", "the checksum that was written with the file");
  if (stated.text() == checksum(document.value())) return;
  throw InvalidArgument("checksum", stated.text(),
                        "the checksum of an unchanged file: this one was edited after it was written, or damaged");
}

}  // namespace renyi::filter
