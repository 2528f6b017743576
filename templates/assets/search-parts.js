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

/** A picture sign or the sign of a currency, which the index would drop. */
const pictures = /\p{Extended_Pictographic}|(?!\$)\p{Sc}/gu

/** Stands between two parts that a sign parts. */
const joint = '‿'

/** A part of a version, a date or an address. */
const number = /^v?\d{1,5}$/

/**
 * The parts of a word, `most` of them at most. `text`: in small letters; `signed`: the words that a sign in front of it or
 * behind it makes of it; `pair`: the word that it is with the part before, of which `last` is the text; `isNext`: no sign parts
 * them; `triple`: numbers, such as a version, as one word with the two before it, for pairs of small numbers are everywhere.
 */
export function partsOf(word, most) {
  const signs = new Map(
    [...word.matchAll(signed)].map(({ index, 0: sign, 1: first }) => [first ? index + sign.length : index, sign]),
  )
  let [last, end] = ['', -1]
  let numbers = []
  return [...word.matchAll(parts)].slice(0, most).map(({ 0: part, index }) => {
    const text = part.toLowerCase()
    const isNext = end === index
    const sign = isNext ? undefined : before[signs.get(index)]
    const suffix = behind[signs.get(index + part.length)]
    const own = [sign && sign + text, suffix && text + suffix].filter(Boolean)
    const pair = last === '' ? undefined : `${last}${isNext ? '' : joint}${text}`
    numbers = isNext || !number.test(text) ? [] : [...numbers, text].slice(-3)
    const triple = numbers.length < 3 ? undefined : numbers.join(joint)
    const found = { text, last, isNext, signed: own, pair, triple }
    last = text
    end = index + part.length
    return found
  })
}

/** The words that stand for signs in a word that are no letters. */
export function pictureWords(word) {
  return [...word.matchAll(pictures)].map(([sign]) => joint + sign.codePointAt(0).toString(16))
}

/** The characters of a run without blanks that words are made of: the index leaves out marks above and below letters. */
export function lettersOf(run) {
  return [...run.replace(/[^\p{L}\p{N}]/gu, '')]
}
