// Prints path, tag, content and the compressed content of each embedded file, as hexadecimal digits.
#include <cstdio>

#include "apps/server/page.h"

namespace {

void print(std::string_view bytes) {
  for (const char byte : bytes) std::printf("%02x", static_cast<unsigned char>(byte));
}

}  // namespace

int main() {
  for (const renyi::server::PageFile& file : renyi::server::embedded_page()) {
    std::printf("%s %s ", std::string(file.path).c_str(), std::string(file.tag).c_str());
    print(file.content);
    std::printf(" ");
    print(file.compressed);
    std::printf("\n");
  }
}
