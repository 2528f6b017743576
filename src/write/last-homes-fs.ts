/** Which sessions each home gave to the last build. It lies with the cache, and whatever options a build has, it counts. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A home of the last build: its absolute path and the folders of its sessions in the site. */
export interface LastHome {
  path: string
  label: string
  sessions: readonly string[]
  archived: readonly string[]
}

const fileName = 'homes.json'
const schema = 'codex-export/homes'

/** The homes of the last build; `undefined` where nothing, or nothing whole, is known of them. */
export function readLastHomes(cacheDir: string): LastHome[] | undefined {
  try {
    const path = join(cacheDir, fileName)
    const value = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> | null) : null
    const homes = value?.['schema'] === schema && value['version'] === 1 ? value['homes'] : undefined
    return Array.isArray(homes) && homes.every(isHome) ? homes : undefined
  } catch {
    return undefined
  }
}

/** Remembers the homes of a build whose site stands. The cache folder exists. Throws the error of the system. */
export function saveLastHomes(cacheDir: string, homes: readonly LastHome[]): void {
  const list = homes.map(({ path, label, sessions, archived }) => ({ path, label, sessions, archived }))
  const draft = join(cacheDir, `${fileName}.${process.pid}.tmp`)
  writeFileSync(draft, `${JSON.stringify({ schema, version: 1, homes: list })}\n`, { mode: 0o600 })
  renameSync(draft, join(cacheDir, fileName))
}

function isHome(value: unknown): value is LastHome {
  if (typeof value !== 'object' || value === null) return false
  const { path, label, sessions, archived } = value as Partial<Record<keyof LastHome, unknown>>
  return typeof path === 'string' && typeof label === 'string' && isNames(sessions) && isNames(archived)
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
