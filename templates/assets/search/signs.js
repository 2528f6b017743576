// Signs that are interchangeable: keyboards have one of them, and texts often have another. The search in the terminal reads
// questions by these rules too: `features/terminal-search/query.ts` imports this part of the page script unchanged.

/** Signs that a reader does not distinguish, the one on keyboards first: apostrophes, hyphens and the like, quotation marks. */
const alike = ["'’‘ʼ", '-‐‑–−', '"“”„']
const forms = new Map(alike.flatMap((signs) => [...signs].map((sign) => [sign, signs])))

/** All signs that a sign may represent, including itself. */
export function formsOfSign(sign) {
  return forms.get(sign) ?? sign
}

/** The source of a pattern that finds a typed text, with any of the interchangeable signs. */
export function literalSource(text) {
  return text.replace(/[.*+?^${}()|[\]\\/'’‘ʼ‐‑–−"“”„-]/g, (sign) =>
    forms.has(sign) ? `[${forms.get(sign)}]` : `\\${sign}`,
  )
}

/** A question with straight quotation marks, which phrases need: phones replace them by curly ones. */
export function withPlainQuotes(text) {
  return text.replace(/[“”„]/g, '"')
}
