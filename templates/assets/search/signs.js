// Signs that stand for one another: keyboards have one of them, and what was written often has another. The search in the
// terminal reads questions by these rules too: `features/terminal-search/query.ts` imports this part of the page script as it is.

/** Signs that a reader takes for one, that of keyboards first: apostrophes, hyphens with what looks like one, quotation marks. */
const alike = ["'’‘ʼ", '-‐‑–−', '"“”„']
const forms = new Map(alike.flatMap((signs) => [...signs].map((sign) => [sign, signs])))

/** All signs that a sign may stand for, itself among them. */
export function formsOfSign(sign) {
  return forms.get(sign) ?? sign
}

/** Source of a pattern for a text as it was typed, but for signs that are alike. */
export function literalSource(text) {
  return text.replace(/[.*+?^${}()|[\]\\/'’‘ʼ‐‑–−"“”„-]/g, (sign) =>
    forms.has(sign) ? `[${forms.get(sign)}]` : `\\${sign}`,
  )
}

/** A question with quotation marks of keyboards, which are those of phrases: telephones put others in their place. */
export function withPlainQuotes(text) {
  return text.replace(/[“”„]/g, '"')
}
