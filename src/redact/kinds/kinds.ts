/**
 * The table of token types: one row for each type that a vendor issues under its own name. A prefix that varies for tests or for
 * another region gets no row of its own. Columns, between bars: the rule's id, which appears in marks; the vendor; what the token
 * is; its form (see `form.ts`); the source, which is an address or the name of a public list of forms. The lists were read on the
 * day of `checked`. A vendor's address shows where the form is documented; that page was not compared with the row on that day.
 */

import type { PatternRule } from '../rule.ts'
import { business, clouds, operations } from './clouds.ts'
import { code, models } from './code.ts'
import { ruleOf } from './form.ts'

/** One type of token. */
export interface Kind {
  id: string
  vendor: string
  what: string
  form: string
  /** Address of the vendor's document, or of a public list that describes the form. */
  source: string
}

/** The day on which forms from public lists were compared with those lists. */
export const checked = '2026-11-22'

const lists: Readonly<Record<string, string>> = {
  betterleaks: 'https://github.com/betterleaks/betterleaks/blob/6381fa4/config/betterleaks.toml',
  gitleaks: 'https://github.com/gitleaks/gitleaks/blob/b58d3f1/config/gitleaks.toml',
  kingfisher: 'https://github.com/mongodb/kingfisher/tree/ee7c0db/data/rules',
  noseyparker:
    'https://github.com/praetorian-inc/noseyparker/tree/2e6e7f3/crates/noseyparker/data/default/builtin/rules',
  trufflehog: 'https://github.com/trufflesecurity/trufflehog/tree/3ab759f/pkg/detectors',
}

/** All types, in the order in which their rules are tried. */
export const kinds: readonly Kind[] = [models, code, clouds, business, operations].flatMap(rowsOf)

function rowsOf(table: string): Kind[] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id = '', vendor = '', what = '', ...rest] = line.split(' | ')
      const source = rest.pop() ?? ''
      return { id, vendor, what, form: rest.join(' | '), source: lists[source] ?? source }
    })
}

/** Tokens that reveal by their form what they are: one rule for each row of the table. */
export const tokenRules: readonly PatternRule[] = kinds.map(({ id, form }) => ruleOf(id, form))
