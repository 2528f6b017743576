/** Whether letters, alone or with digits, are random: how often each stands behind the one before it in words and in names of code. */

/**
 * For each letter, a digit for each that follows: 0 for pairs that stand in no word, 9 for the most frequent ones, in steps of
 * five sixths of a bit. Counted in some 20,000 words of English and parts of names in code that stand in public packages.
 */
const pairs = `
25652241714767151767432241
74547322742733732863612142
72437226507632821646511030
74458432822433634654532230
73674431303657242876232530
63447620801833721644512141
63338256711545631864523212
82338110812432812535620140
54655450104658740566140214
73428234713232843373744322
74448343733434641465634141
72348221811662730254520050
85348232722453771354511230
62677472613323630277441030
34552341314668450765745220
71337324602722751856502040
65655544343555436554934333
72448230703344730466531040
52527336713632652268613140
72428316801432630765512150
55555341504778350777210220
84439323821233622333411231
83347335813436730664423322
64657434633454474348333442
55646453633656583476234424
73449343733344633454334444
`
  .trim()
  .split('\n')

/** Letters that say enough; shorter ones are abbreviations. */
const minLetters = 8
const minNamed = 7
const longRun = 20
/** Of words and of names that are put together of several, one in a hundred is below. */
const usual = 4.9
/** The longer a run is, the nearer it is to the mean. */
const usualOfLong = 4.8

/** Verbs and heads of names in C, behind which abbreviations stand. */
const verb = /^(?:get|set|str|mem|wcs|is)(?=[a-z])/

/** Whether letters are random, whatever their case. `margin` asks for more than that, where code may stand. */
export function isGibberish(text: string, margin = 0): boolean {
  if (text.length < minLetters || text.replace(verb, '').length < minNamed || !/^[A-Za-z]+$/.test(text)) return false
  return usualness(text.toLowerCase()) < (text.length < longRun ? usual : usualOfLong) - margin
}

const codeOfA = 97
/** What a letter beside a digit counts: few names have digits among their letters. */
const besideDigit = 3
const minPairs = 7
const zero = 48

/** The mean of all pairs but those of digits; infinite where there are few. */
function usualness(text: string): number {
  let [sum, pairsOf] = [0, 0]
  for (let at = 1, last = text.charCodeAt(0); at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= codeOfA || last >= codeOfA) {
      pairsOf++
      sum +=
        code < codeOfA || last < codeOfA ? besideDigit : (pairs[last - codeOfA] ?? '').charCodeAt(code - codeOfA) - zero
    }
    last = code
  }
  return pairsOf < minPairs ? Number.POSITIVE_INFINITY : sum / pairsOf
}

const longMix = 16
/**
 * Of a thousand names with digits that stand in several files of public packages none is below, of random letters and digits
 * 92 in 100 of 12 characters, 97 of 16, and 99 of 24.
 */
const usualOfMix = 4.2
const usualOfLongMix = 4.6
/** So much surer than of letters that stand under a name. */
const lettersMargin = 0.6

/**
 * Whether a run of letters and digits is random, whatever stands before it. Of letters alone 20 tell, of both `min`, of
 * which 12 are the fewest.
 */
export function isRandomRun(run: string, min: number = longMix): boolean {
  if (!/\d/.test(run)) return run.length >= longRun && isGibberish(run, lettersMargin)
  return run.length >= min && usualness(run.toLowerCase()) < (run.length < longMix ? usualOfMix : usualOfLongMix)
}

const minMix = 12

/** Whether some run of letters and digits in a value is random, as far as what stands before it has to say so, too. */
export function holdsRandomRun(value: string): boolean {
  return (value.match(/[A-Za-z\d]+/g) ?? []).some((run) => isRandomRun(run, minMix))
}

/** Whether letters with signs among them, as `@` and `!`, are random: each sign counts as a digit does. */
export function isRandomWithSigns(text: string): boolean {
  return (
    usualness(
      text
        .toLowerCase()
        .replaceAll(/[-_.]/g, '')
        .replaceAll(/[^a-z\d]/g, '0'),
    ) < usualOfMix
  )
}
