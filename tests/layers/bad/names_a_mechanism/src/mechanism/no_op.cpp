struct NoOp {
  static constexpr std::string_view kind = "no-op";
};
