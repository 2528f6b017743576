/** Round numbers at the side of a plot. */

/** Values for lines across a plot: 0 and two to five round steps, the last one not below `highest`. */
export function scaleOf(highest: number, smallestStep = 1): number[] {
  const step = Math.max(smallestStep, roundUp(highest / 4))
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** The next number of the form 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 5].find((candidate) => candidate * power >= value) ?? 10
  return factor * power
}
