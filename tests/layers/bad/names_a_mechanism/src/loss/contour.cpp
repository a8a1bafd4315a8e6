// A Gaussian has a normal loss.
const char* text = "Gaussian \" Gaussian";  // Gaussian
GaussianCurve curve{Alias{1}};
Gaussian step{};
