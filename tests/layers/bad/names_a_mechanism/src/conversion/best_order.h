double order(const Gaussian& step);
