/** Sizes of files tell much of what is in them: few different ones tell less. */

/** What anything small is padded to. */
const least = 1024

/**
 * Length of the bucket for a length, by the rule of Padmé (Nikitin et al., "Reducing Metadata Leakage from Encrypted
 * Files", 2019): as many significant bits as the logarithm of the logarithm of the length leaves. It adds 12 % at most,
 * above a kilobyte, and of a length `L` no more can be learned than about log log L bits.
 */
export function paddedLength(length: number): number {
  if (length <= least) return least
  const exponent = Math.floor(Math.log2(length))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const step = 2 ** (exponent - kept)
  return Math.ceil(length / step) * step
}
