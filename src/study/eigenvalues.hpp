// Eigenvalues of small dense matrices.
#pragma once

#include <complex>
#include <vector>

namespace extremal {

// Of a symmetric n x n matrix, row by row: rises, and the vectors of length 1 as rows. By Jacobi's rotations.
struct SymmetricEigen {
  std::vector<double> values;
  std::vector<double> vectors;
};
SymmetricEigen symmetric_eigen(std::vector<double> a, int n);

// Of any real n x n matrix, row by row, each as often as it is one; pairs follow each other. By the QR algorithm with
// two shifts at a time on Hessenberg's form. Empty if it does not converge.
std::vector<std::complex<double>> eigenvalues(std::vector<double> a, int n);

}  // namespace extremal
