/** The corpus of genuine rollouts, which is next to the checkout if there is one. */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe } from 'vitest'

const sharedFolder = fileURLToPath(new URL('../../../shared', import.meta.url))
const folder = resolve(process.env['CODEX_EXPORT_CORPUS'] ?? sharedFolder)

/** A Codex home that a genuine Codex version wrote. */
export interface CorpusHome {
  /** Name of its folder, for example `0.144.0` or `0.169.0-migrated`. */
  name: string
  path: string
}

/** The corpus: its folder and homes. */
export interface Corpus {
  folder: string
  /** Homes of scripted sessions, one or more for each version. */
  homes: CorpusHome[]
  /**
   * Every third version of these, counted back from the newest one, and all homes of the newest: for tests that build
   * whole sites.
   */
  spread: CorpusHome[]
  /** Homes with twins of sessions of real people: the same structure, with each word replaced. */
  lived: CorpusHome[]
}

function findCorpus(): Corpus | undefined {
  const rollouts = join(folder, 'rollouts')
  if (!existsSync(rollouts)) return undefined
  const folders = readdirSync(rollouts, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const all = folders.map(({ name }) => ({ name, path: join(rollouts, name) }))
  const isScripted = ({ path }: CorpusHome): boolean => existsSync(join(path, 'FACTORY.json'))
  const sorted = all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const homes = sorted.filter(isScripted)
  return { folder, homes, spread: spreadOf(homes), lived: sorted.filter((home) => !isScripted(home)) }
}

/** A format lives for longer than three versions, so each that Codex wrote has a home among these. */
function spreadOf(homes: readonly CorpusHome[]): CorpusHome[] {
  const versionOf = ({ name }: CorpusHome): string => name.replace(/-.*/, '')
  const newestFirst = [...new Set(homes.map(versionOf))].toSorted(byVersion).reverse()
  const some = new Set(newestFirst.filter((_, index) => index % 3 === 0))
  return homes.filter((home) => some.has(home.name) || versionOf(home) === newestFirst[0])
}

const byVersion = new Intl.Collator('en', { numeric: true }).compare

/** `describe` over the genuine corpus. It is skipped if there is none, which one line reports. */
export function describeWithCorpus(title: string, body: (corpus: Corpus) => void): void {
  const corpus = findCorpus()
  if (corpus !== undefined) {
    describe(title, () => body(corpus))
    return
  }
  process.stderr.write(`corpus tests skipped: no rollouts in ${folder}; set CODEX_EXPORT_CORPUS to the corpus\n`)
  describe.skip(title, () => body({ folder, homes: [], spread: [], lived: [] }))
}
