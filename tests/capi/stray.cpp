// A library with a C++ symbol in it, which the check of symbols has to find.
namespace stray {
int symbol() { return 1; }
}  // namespace stray
