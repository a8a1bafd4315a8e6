namespace renyi {
[[deprecated(
    "renyi::old_cost is deprecated since 0.1.5 "
    "and goes with 0.2.0: write renyi::cost")]] double
old_cost();
double cost();
}  // namespace renyi
