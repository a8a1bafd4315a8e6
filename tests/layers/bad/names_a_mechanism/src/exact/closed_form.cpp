bool is_normal(const Mechanism& m) { return m.get_if<Gaussian>() != nullptr; }
