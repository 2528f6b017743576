/** Every page of the demo site is valid HTML by html-validate's strictest common rules. */
import { readFileSync } from 'node:fs'
import { HtmlValidate } from 'html-validate'
import { describe, expect, inject, it } from 'vitest'
import { demoFiles, readDemo } from './demo.ts'

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
    // Titles begin with what the user asked; a browser cuts them, we do not.
    'long-title': 'off',
    // Search and filters answer while one types; Enter leads into the results.
    'wcag/h32': 'off',
  },
})

/** A line for each error and warning of a page: place, rule, what is wrong. */
async function faults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message, selector }) => {
      return `${line}:${column} ${ruleId}: ${message} (${selector})`
    }),
  )
}

describe('html-validate', () => {
  it.each(demoFiles().filter((path) => path.endsWith('.html')))('finds no fault in %s', async (path) => {
    expect(await faults(readDemo(path))).toEqual([])
  })

  it('finds no fault in a thread as one file', async () => {
    expect(await faults(readFileSync(inject('single'), 'utf8'))).toEqual([])
  })

  it('finds the faults that there are', async () => {
    const broken = readDemo('404.html').replace('</h1>', '</h1><p style="color:red" id="main"><div></div></p>')
    const found = (await faults(broken)).join('\n')
    expect(found).toMatch(/no-inline-style/)
    expect(found).toMatch(/element-permitted-content|no-implicit-close|close-order/)
  })
})
