// Shared parts of the notes of several mechanisms: the sources they cite, and the text by which the matrix mechanisms
// state which datasets are neighbours. A source that only a single mechanism needs stands in its own file.
#pragma once

#include "renyi/extras/notes.h"

namespace renyi::reference {

inline constexpr Reference mironov2017{
    "mironov2017", "Mironov 2017, Renyi differential privacy (arXiv:1702.07476v3), Table II and Propositions 5 to 7",
    R"(@inproceedings{mironov2017,
  author = {Mironov, Ilya},
  title = {R{\'e}nyi Differential Privacy},
  booktitle = {IEEE 30th Computer Security Foundations Symposium (CSF)},
  pages = {263--275},
  year = {2017},
  eprint = {1702.07476}
})"};

inline constexpr Reference bun_steinke2016{
    "bunsteinke2016",
    "Bun, Steinke 2016, Concentrated differential privacy (arXiv:1605.02065v1), Definitions 1.1 and 8.1",
    R"(@inproceedings{bunsteinke2016,
  author = {Bun, Mark and Steinke, Thomas},
  title = {Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds},
  booktitle = {Theory of Cryptography Conference (TCC)},
  pages = {635--658},
  year = {2016},
  eprint = {1605.02065}
})"};

inline constexpr Reference dong_roth_su2022{
    "dongrothsu2022", "Dong, Roth, Su 2022, Gaussian differential privacy (arXiv:1905.02383v3), Definition 4",
    R"(@article{dongrothsu2022,
  author = {Dong, Jinshuo and Roth, Aaron and Su, Weijie J.},
  title = {Gaussian Differential Privacy},
  journal = {Journal of the Royal Statistical Society: Series B},
  volume = {84},
  number = {1},
  pages = {3--37},
  year = {2022},
  eprint = {1905.02383}
})"};

inline constexpr Reference balle_wang2018{"ballewang2018",
                                          "Balle, Wang 2018, Analytic calibration (arXiv:1805.06530v2), Theorem 8",
                                          R"(@inproceedings{ballewang2018,
  author = {Balle, Borja and Wang, Yu-Xiang},
  title = {Improving the Gaussian Mechanism for Differential Privacy: Analytical Calibration and Optimal Denoising},
  booktitle = {International Conference on Machine Learning (ICML)},
  pages = {394--403},
  year = {2018},
  eprint = {1805.06530}
})"};

inline constexpr Reference zhu_dong_wang2022{"zhudongwang2022",
                                             "Zhu, Dong, Wang 2022, Optimal accounting of differential privacy via "
                                             "characteristic function (arXiv:2106.08567v3), "
                                             "Definition 7",
                                             R"(@inproceedings{zhudongwang2022,
  author = {Zhu, Yuqing and Dong, Jinshuo and Wang, Yu-Xiang},
  title = {Optimal Accounting of Differential Privacy via Characteristic Function},
  booktitle = {International Conference on Artificial Intelligence and Statistics (AISTATS)},
  year = {2022},
  eprint = {2106.08567}
})"};

inline constexpr Reference agarwal2021{
    "agarwal2021",
    "Agarwal, Kairouz, Liu 2021, The Skellam mechanism for differentially private federated "
    "learning (arXiv:2110.04995v1), Theorem 3.5",
    R"(@inproceedings{agarwal2021,
  author = {Agarwal, Naman and Kairouz, Peter and Liu, Ziyu},
  title = {The {S}kellam Mechanism for Differentially Private Federated Learning},
  booktitle = {Advances in Neural Information Processing Systems},
  volume = {34},
  pages = {5052--5064},
  year = {2021},
  eprint = {2110.04995}
})"};

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

namespace renyi::mechanism {

inline constexpr std::string_view relation_of_matrices =
    "any under which the other records keep their rounds; the norm of a contribution is that of what one record "
    "changes "
    "in a round (zero-out: its clipping norm; replace-one: twice that)";

}  // namespace renyi::mechanism
