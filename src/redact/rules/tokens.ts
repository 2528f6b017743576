/** Tokens that tell by their form what they are: one rule for each row of the table. */
import { ruleOf } from '../kinds/form.ts'
import { kinds } from '../kinds/kinds.ts'
import type { PatternRule } from '../rule.ts'

/** The rules of all types of tokens. */
export const tokenRules: readonly PatternRule[] = kinds.map(({ id, form }) => ruleOf(id, form))
