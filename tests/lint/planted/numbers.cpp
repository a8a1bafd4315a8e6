// Arithmetic and its types.
#include <string>

namespace numbers {

enum Colour { red = 1, green = 2, blue = 4 };
enum Size { small = 1, large = 2, huge = 4 };

// bugprone-implicit-widening-of-multiplication-result
long widens_too_late(int rows, int columns) { return rows * columns; }

// bugprone-incorrect-roundings
int rounds_by_hand(double number) { return static_cast<int>(number + 0.5); }

// bugprone-integer-division
double divides_integers(int part, int whole) { return part / whole; }

// bugprone-misplaced-widening-cast
long casts_the_product(int rows, int columns) { return static_cast<long>(rows * columns); }

// bugprone-signed-char-misuse
int makes_a_byte_negative(signed char byte) {
  int number = byte;
  return number;
}

// bugprone-suspicious-enum-usage
int mixes_colour_with_size(Colour colour, Size size) { return colour | size; }

// bugprone-too-small-loop-variable
int never_gets_there(long count) {
  int sum = 0;
  for (short i = 0; i < count; ++i) {
    sum += i;
  }
  return sum;
}

}  // namespace numbers
