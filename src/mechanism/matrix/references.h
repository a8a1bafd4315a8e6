// Sources of the matrix mechanisms.
#pragma once

#include "renyi/notes.h"

namespace renyi::mechanism {

inline constexpr std::string_view relation_of_matrices =
    "any under which the other records keep their rounds; the norm of a contribution is that of what one record "
    "changes "
    "in a round (zero-out: its clipping norm; replace-one: twice that)";

}  // namespace renyi::mechanism

namespace renyi::reference {

inline constexpr Reference denisov2022{
    "denisov2022",
    "Denisov, McMahan, Rush, Smith, Thakurta 2022, Improved differential privacy for SGD via optimal private linear "
    "operators on adaptive streams (arXiv:2202.08312), the Gaussian mechanism on adaptive streams",
    R"(@inproceedings{denisov2022,
  author = {Denisov, Sergey and McMahan, Brendan and Rush, Keith and Smith, Adam and Thakurta, Abhradeep Guha},
  title = {Improved Differential Privacy for {SGD} via Optimal Private Linear Operators on Adaptive Streams},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2022},
  eprint = {2202.08312}
})"};

inline constexpr Reference choquette_choo2023a{"choquettechoo2023multi",
                                               "Choquette-Choo, McMahan, Rush, Thakurta 2023, Multi-epoch matrix "
                                               "factorization mechanisms for private machine learning "
                                               "(arXiv:2211.06530), sensitivity under participation patterns",
                                               R"(@inproceedings{choquettechoo2023multi,
  author = {Choquette-Choo, Christopher A. and McMahan, H. Brendan and Rush, Keith and Thakurta, Abhradeep},
  title = {Multi-Epoch Matrix Factorization Mechanisms for Private Machine Learning},
  booktitle = {International Conference on Machine Learning (ICML)},
  year = {2023},
  eprint = {2211.06530}
})"};

inline constexpr Reference choquette_choo2023b{
    "choquettechoo2023banded",
    "Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023, (Amplified) banded matrix factorization "
    "(arXiv:2306.08153), Theorem 2 and Algorithms 3 and 4",
    R"(@inproceedings{choquettechoo2023banded,
  author = {Choquette-Choo, Christopher A. and Ganesh, Arun and McKenna, Ryan and McMahan, H. Brendan and Rush, Keith
            and
            Thakurta, Abhradeep and Xu, Zheng},
  title = {(Amplified) Banded Matrix Factorization: A Unified Approach to Private Training},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2023},
  eprint = {2306.08153}
})"};

inline constexpr Reference kalinin_lampert2024{
    "kalininlampert2024",
    "Kalinin, Lampert 2024, Banded square root matrix factorization for differentially private model training "
    "(arXiv:2405.13763), Theorem 2",
    R"(@inproceedings{kalininlampert2024,
  author = {Kalinin, Nikita P. and Lampert, Christoph},
  title = {Banded Square Root Matrix Factorization for Differentially Private Model Training},
  booktitle = {Advances in Neural Information Processing Systems (NeurIPS)},
  year = {2024},
  eprint = {2405.13763}
})"};

}  // namespace renyi::reference
