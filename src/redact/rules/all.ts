/** All rules; where findings overlap, the first rule names what is replaced. */
import type { Rule } from '../rule.ts'
import { formRules } from './forms.ts'
import { contextRules, namedRule } from './named.ts'
import { tokenRules } from './tokens.ts'

/** Rules from what tells by its own form to what only its surroundings tell. */
export const rules: readonly Rule[] = [...tokenRules, ...formRules, ...contextRules, namedRule]
