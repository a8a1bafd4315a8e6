// What the standard library of Debian's emscripten (libc++ 14) lacks of C++20, and renyi uses. The build by emscripten
// includes it at the beginning of every file; no other build sees it.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numbers>
#include <string>
#include <type_traits>
#include <version>

namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_smart_ptr_for_overwrite
template <class T>
unique_ptr<T> make_unique_for_overwrite() {
  return unique_ptr<T>(new T);
}
#endif

#ifndef __cpp_lib_to_chars
// There is one locale there, in which numbers are written as JSON has them.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
  // from_chars takes neither white space, nor a plus sign, nor hexadecimal digits.
  const bool is_negative = first != last && *first == '-';
  const char* digits = first + (is_negative ? 1 : 0);
  const bool is_number = digits != last && ((*digits >= '0' && *digits <= '9') || *digits == '.');
  const bool is_name = digits != last && (*digits == 'i' || *digits == 'I' || *digits == 'n' || *digits == 'N');
  if (!is_number && !is_name) return {first, errc::invalid_argument};
  string text(first, last);
  if (const auto x = text.find_first_of("xX"); x != string::npos) text.resize(x);
  char* end = nullptr;
  const double read = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  const char* after = first + (end - text.c_str());
  constexpr double infinity = __builtin_huge_val();
  if (is_number && (read == infinity || read == -infinity)) return {after, errc::result_out_of_range};
  value = read;
  return {after, errc()};
}

// The project writes in scientific notation only.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format, int precision) {
  array<char, 64> text{};
  const int length = snprintf(text.data(), text.size(), "%.*e", precision, value);
  if (length > last - first) return {last, errc::value_too_large};
  memcpy(first, text.data(), static_cast<size_t>(length));
  return {first + length, errc()};
}

// The first precision that reads back to the same double is the shortest.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format format) {
  constexpr int suffices = 16;
  array<char, 64> text{};
  int precision = 0;
  for (; precision < suffices; ++precision) {
    snprintf(text.data(), text.size(), "%.*e", precision, value);
    if (strtod(text.data(), nullptr) == value) break;
  }
  return to_chars(first, last, value, format, precision);
}
#endif

}  // namespace std

// Its constants of long double have the digits of a double.
namespace std::numbers {

template <>
inline constexpr long double e_v<long double> = 2.718281828459045235360287471352662498L;
template <>
inline constexpr long double pi_v<long double> = 3.141592653589793238462643383279502884L;
template <>
inline constexpr long double inv_sqrtpi_v<long double> = 0.564189583547756286948079451560772586L;
template <>
inline constexpr long double ln2_v<long double> = 0.693147180559945309417232121458176568L;
template <>
inline constexpr long double ln10_v<long double> = 2.302585092994045684017991454684364208L;
template <>
inline constexpr long double log2e_v<long double> = 1.442695040888963407359924681001892137L;
template <>
inline constexpr long double sqrt2_v<long double> = 1.414213562373095048801688724209698079L;

}  // namespace std::numbers
