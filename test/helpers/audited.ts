/** Invented sites, and what the audit reports about them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditSite, type SiteAudit, type SiteAuditOptions } from '../../src/features/audit/site-fs.ts'
import { pagePolicy } from '../../src/render/policy.ts'
import { encodeManifest } from '../../src/site/output/paths.ts'
import { sha256 } from '../../src/util/hash.ts'
import { writeFolder } from './folder.ts'
import { quietHost } from './surroundings.ts'

/** Files by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** Writes files into a folder with a manifest that lists them all. */
export function writeSite(folder: string, files: Files): void {
  writeFolder(folder, files)
  const records = Object.entries(files).map(([path, content]) => ({ path, hash: sha256(content) }))
  writeFileSync(join(folder, 'manifest.json'), encodeManifest(records))
}

/** A page around a body, with a policy as strict as ours; `head` follows the policy. */
export function page(body: string, head = '', own: string = pagePolicy({ search: true })): string {
  const meta = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${own.replaceAll("'", '&#39;')}">`
  const top = `${meta}<meta name="referrer" content="no-referrer">${head}<title>Logs</title>`
  return `<!doctype html>\n<html lang="en"><head>${top}</head>\n<body>\n${body}\n</body></html>\n`
}

/** Audits a folder. */
export function audit(folder: string, options?: SiteAuditOptions): Promise<SiteAudit> {
  return auditSite(folder, quietHost(), options)
}

/** Findings as `rule file:line`, in order. */
export function reported({ findings }: Pick<SiteAudit, 'findings'>): string[] {
  return findings.map(({ ruleId, file, line }) => `${ruleId} ${file}${line === undefined ? '' : `:${line}`}`)
}
