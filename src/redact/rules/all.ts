/** All rules. Where findings overlap, the first rule names what is replaced. */

import { tokenRules } from '../kinds/kinds.ts'
import type { Rule } from '../rule.ts'
import { addressRules } from './addresses.ts'
import { askedRules } from './asked.ts'
import { callRules } from './calls.ts'
import { commandRules } from './commands.ts'
import { cookieRules } from './cookies.ts'
import { cutRules } from './cuts.ts'
import { encodedRules } from './encoded.ts'
import { formRules } from './forms.ts'
import { jwkRules } from './jwks.ts'
import { keyBlockRules } from './key-blocks.ts'
import { labelRules } from './labels.ts'
import { loginRules, variableRules } from './logins.ts'
import { manifestRules } from './manifests.ts'
import { namedRule, shortNamedRule } from './named.ts'
import { nearbyRules } from './nearby.ts'
import { contextRules } from './places.ts'
import { qrCodeRules } from './qr-codes.ts'
import { settingRules } from './settings.ts'
import { spokenRules } from './spoken.ts'
import { stdinRules } from './stdin.ts'
import { walletRules } from './wallets.ts'

/** What is looked for in decoded text. */
const innerRules: ReadonlySet<Rule> = new Set([
  ...[...tokenRules, ...formRules, ...cookieRules, ...contextRules, ...commandRules, ...variableRules, ...stdinRules],
  namedRule,
])

/** Rules, from those for what its own form reveals to those for what only its surroundings reveal. */
export const rules: readonly Rule[] = [
  ...tokenRules,
  ...formRules,
  ...jwkRules,
  ...keyBlockRules,
  ...cookieRules,
  ...contextRules,
  ...addressRules,
  ...commandRules,
  ...loginRules,
  ...variableRules,
  ...stdinRules,
  ...labelRules,
  ...settingRules,
  ...askedRules,
  ...callRules,
  ...walletRules,
  ...spokenRules,
  ...nearbyRules,
  ...manifestRules,
  ...cutRules,
  ...qrCodeRules,
  ...encodedRules({ rules: () => rules, inner: innerRules }),
  namedRule,
  shortNamedRule,
]
