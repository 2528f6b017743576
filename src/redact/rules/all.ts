/** All rules; where findings overlap, the first rule names what is replaced. */
import type { Rule } from '../rule.ts'
import { commandRules } from './commands.ts'
import { encodedRules } from './encoded.ts'
import { formRules } from './forms.ts'
import { labelRules } from './labels.ts'
import { namedRule, shortNamedRule } from './named.ts'
import { contextRules } from './places.ts'
import { tokenRules } from './tokens.ts'

/** Rules from what tells by its own form to what only its surroundings tell. */
export const rules: readonly Rule[] = [
  ...tokenRules,
  ...formRules,
  ...contextRules,
  ...commandRules,
  ...labelRules,
  ...encodedRules,
  namedRule,
  shortNamedRule,
]
