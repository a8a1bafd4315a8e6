double rho(const Gaussian& step);
