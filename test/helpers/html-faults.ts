/** Asks html-validate for faults of a page. */
import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // The serialiser of the pages and the templates both write lower case; browsers read either.
    'doctype-style': ['error', { style: 'lowercase' }],
    // Anchors are a contract with published links: `l12.1` is the second thing of line 12.
    'valid-id': ['error', { relaxed: true }],
    // Pages load nothing from other sites; files of the same site need no integrity hash.
    'require-sri': ['error', { target: 'crossorigin' }],
    // Text of a transcript keeps its spaces.
    'no-trailing-whitespace': 'off',
    // Titles begin with what the user asked; browsers cut them, we do not.
    'long-title': 'off',
    // Search and filters react while one types; Enter leads into the results.
    'wcag/h32': 'off',
  },
})

/** A line for each error and warning of a page under the rules above: position, rule, problem. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message, selector }) => {
      return `${line}:${column} ${ruleId}: ${message} (${selector})`
    }),
  )
}
