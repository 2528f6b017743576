/** What `check` prints, in the form that was asked for. */
import type { SiteAudit } from '../app/audit-site.ts'
import type { CheckResult } from '../app/types.ts'
import { packageVersion } from '../config/version-fs.ts'
import { checkJson, siteJson } from './check-json.ts'
import { checkSarif } from './check-sarif.ts'
import { checkText, siteText } from './check-text.ts'

/** Form of the result; text where neither is asked for. */
export interface CheckForm {
  json: boolean
  sarif: boolean
}

/** What was found in sessions. */
export function sessionsOutput(result: CheckResult, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'sessions', ...result })
  return json ? checkJson(result) : checkText(result)
}

/** What was found in a built site. */
export function siteOutput(audit: SiteAudit, { json, sarif }: CheckForm): string {
  if (sarif) return checkSarif({ version: packageVersion(), subject: 'site', diagnostics: [], ...audit })
  return json ? siteJson(audit) : siteText(audit)
}
