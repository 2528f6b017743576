// How words fall into parts. The index is made by these rules, and pages read questions by them: `search/entry-text.ts`
// imports this part of the page script as it is.

/** Runs of scripts that are written without blanks between words. */
export const unspaced =
  /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+)/u

/** A part: a run of letters and digits, cut where a capital follows a small letter or begins the last word of capitals. */
const parts = /[\p{L}\p{M}\p{N}]+?(?=[^\p{L}\p{M}\p{N}]|$|(?<=[\p{Ll}\p{N}])\p{Lu}|(?<=\p{Lu})\p{Lu}\p{Ll})/gu

/** Signs that make another word of one where they stand in front of it or behind it, and what the index keeps of them. */
const before = { '-': '⁀', '--': '⁀⁀', '.': '⁔', '@': '︳', $: '︴', '#': '﹎' }
const behind = { '++': '﹍', '#': '﹏' }
const signed = /(?<![\p{L}\p{N}\p{Pc}.$@#-])(--?|[.@$#])(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(\+\+|#)(?![\p{L}\p{N}+#])/gu

/** A picture sign, a flag, which is two letters of its own, or the sign of a currency, which the index would drop. */
const pictures = /\p{Extended_Pictographic}|\p{Regional_Indicator}{2}|(?!\$)\p{Sc}/gu

/** Says how the sign before it looks, and is no part of a word. */
const looks = /[\uFE00-\uFE0F]/gu

/** Stands between two parts that a sign parts. */
const joint = '‿'

/** A part of a version, a date or an address. */
const number = /^\d{1,5}$/

/** What a version may begin with: it is found with and without. */
const versionSign = /^v(?=\d{1,5}$)/

/** What is longer is encoded data. */
const longestName = 64

/**
 * The parts of a word, `most` of them at most. `text`: in small letters; `signed`: the words that a sign in front of it or
 * behind it makes of it; `pair`: the word that it is with the part before, of which `last` is the text; `isNext`: no sign parts
 * them; `triple`: one word with the two parts before it, of numbers, such as a version, for pairs of small numbers are everywhere,
 * and of an identifier, whose pairs come again in others.
 */
export function partsOf(word, most) {
  const plain = word.replace(looks, '')
  const signs = new Map(
    [...plain.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
  let [last, end] = ['', -1]
  let numbers = []
  let run = []
  return [...plain.matchAll(parts)].slice(0, most).map(({ 0: part, index }) => {
    const text = part.toLowerCase()
    const isNext = end === index
    const sign = isNext ? undefined : before[signs.get(index)]
    const suffix = behind[signs.get(index + part.length)]
    const own = [sign && sign + text, suffix && text + suffix].filter(Boolean)
    const bare = text.replace(versionSign, '')
    const pair = last === '' ? undefined : `${last}${isNext ? '' : joint}${bare}`
    numbers = isNext || !number.test(bare) ? [] : [...numbers, bare].slice(-3)
    run = [...(isNext ? run : []), bare].slice(-3)
    const triple = tripleOf(numbers, run)
    const found = { text, last, isNext, signed: own, pair, triple }
    last = bare
    end = index + part.length
    return found
  })
}

/** Three numbers in a row, or three parts of an identifier, as one word. */
function tripleOf(numbers, run) {
  if (numbers.length === 3) return numbers.join(joint)
  const name = run.join('')
  return run.length === 3 && name.length <= longestName ? name : undefined
}

/** The words that stand for signs in a word that are no letters. */
export function pictureWords(word) {
  return [...word.matchAll(pictures)].map(
    ([sign]) => joint + [...sign].map((one) => one.codePointAt(0).toString(16)).join(''),
  )
}

/** The characters of a run without blanks that words are made of: the index leaves out marks above and below letters. */
export function lettersOf(run) {
  return [...run.replace(/[^\p{L}\p{N}]/gu, '')]
}
