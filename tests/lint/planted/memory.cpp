// Bytes: how many, whose, and what they mean.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

namespace memory {

struct Padded {
  char letter;
  int number;
};

// bugprone-misplaced-operator-in-strlen-in-alloc
void* allocates_two_too_few(const char* text) { return std::malloc(std::strlen(text + 1)); }

// bugprone-misplaced-pointer-arithmetic-in-alloc
char* skips_a_byte(std::size_t size) { return static_cast<char*>(std::malloc(size)) + 1; }

// bugprone-sizeof-container
std::size_t measures_the_handle(const std::string& text) { return sizeof(text); }

// bugprone-sizeof-expression
std::size_t measures_an_integer() { return sizeof(1); }

// bugprone-suspicious-memory-comparison
bool compares_the_padding(const Padded& a, const Padded& b) { return std::memcmp(&a, &b, sizeof(Padded)) == 0; }

// bugprone-suspicious-memset-usage
void fills_with_a_digit(int* numbers, std::size_t size) { std::memset(numbers, '0', size); }

// bugprone-undefined-memory-manipulation
void wipes_an_object(std::string& text) { std::memset(&text, 0, sizeof(std::string)); }

// bugprone-unhandled-exception-at-new
int* runs_out_of_memory() noexcept { return new int[1000]; }

// cppcoreguidelines-init-variables
int returns_anything(bool known) {
  int number;
  if (known) {
    number = 1;
  }
  return number;
}

// cppcoreguidelines-pro-type-cstyle-cast
int* casts_by_force(char* bytes) { return (int*)bytes; }

// performance-no-int-to-ptr
int* points_at_a_number(std::uintptr_t number) { return reinterpret_cast<int*>(number); }

}  // namespace memory
