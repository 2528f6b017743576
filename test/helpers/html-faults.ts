/** Asks html-validate for faults of a page. */
import { HtmlValidate } from 'html-validate'

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document'],
  rules: {
    // The serialiser of the pages and the templates agree on lower case; browsers read both.
    'doctype-style': ['error', { style: 'lowercase' }],
    // Anchors are a contract with published links: `l12.1` is the second thing of line 12.
    'valid-id': ['error', { relaxed: true }],
    // Pages load nothing from elsewhere; what is their own needs no second hash.
    'require-sri': ['error', { target: 'crossorigin' }],
    // Text of a transcript keeps its blanks.
    'no-trailing-whitespace': 'off',
    // Titles begin with what the user asked; a browser cuts them, we do not.
    'long-title': 'off',
    // Search and filters answer while one types; Enter leads into the results.
    'wcag/h32': 'off',
  },
})

/** A line for each error and warning of a page by html-validate's strictest common rules: place, rule, what is wrong. */
export async function htmlFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message, selector }) => {
      return `${line}:${column} ${ruleId}: ${message} (${selector})`
    }),
  )
}
