auto range = Gaussian::parameters();
