#include <cstdlib>
double value(const char* text) { return std::strtod(text, nullptr); }
