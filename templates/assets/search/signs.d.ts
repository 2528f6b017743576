/** Types of `search/signs.js`, for the program, which imports it too. */

export function formsOfSign(sign: string): string
export function literalSource(text: string): string
export function withPlainQuotes(text: string): string
