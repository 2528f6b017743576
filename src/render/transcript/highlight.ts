/** The seam between code and its colours: engines may change, the few kinds of token may not. */

/** What a piece of code is, as far as a colour tells it. Each kind is a class of the style sheet. */
export type TokenKind = 'hk' | 'hs' | 'hc' | 'hn' | 'hf' | 'ht' | 'ha' | 'hi' | 'hx'

/** A run of code of one kind; without a kind it has the colour of the text around it. */
export interface Token {
  text: string
  kind?: TokenKind
}

/** Tokens of a code whose texts together are the code; `undefined` for a language that is not known. Never throws. */
export type Highlight = (code: string, language: string) => Token[] | undefined

/** Adds a token to a list; a neighbour of the same kind grows. Empty text adds nothing. */
export function appendToken(tokens: Token[], text: string, kind?: TokenKind): void {
  if (text === '') return
  const last = tokens.at(-1)
  if (last !== undefined && last.kind === kind) last.text += text
  else tokens.push(kind === undefined ? { text } : { text, kind })
}

/** The tokens of each line, without line ends; a token over several lines is one in each. */
export function tokenLines(tokens: readonly Token[]): Token[][] {
  let line: Token[] = []
  const lines = [line]
  for (const { text, kind } of tokens) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        line = []
        lines.push(line)
      }
      appendToken(line, part, kind)
    }
  }
  return lines
}
