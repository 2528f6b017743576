/**
 * A second scanner that is not ours: the rules of secretlint's recommended preset, pinned to one version, in this process. Its
 * rules are called without its core, which keeps a list of every measurement, and would obey comments in a transcript that turn
 * rules off.
 */

import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { type Found, type Hit, isSecret } from './text-hits.ts'
import type { OnHit, ReadWindow } from './text-scan.ts'

/** Scans a text; kinds are prefixed with the scanner's name. Calls must not overlap. */
type ForeignScan = (text: string) => Promise<readonly Found[]>

/** A rule of secretlint 11, reduced to what is needed here. */
interface Rule {
  meta: { id: string }
  create(context: RuleContext, options: object): { file?(source: Source): unknown }
}

interface RuleContext {
  sharedOptions: object
  createTranslator(): () => object
  ignore(): void
  report(descriptor: { range: readonly [start: number, end: number] }): void
}

interface Source {
  content: string
  contentType: 'text'
  ext: string
  filePath: undefined
  hasBOM: false
  getFilePath(): undefined
  getPhysicalFilePath(): undefined
}

const prefix = '@secretlint/secretlint-rule-'
/** The rule that obeys comments which turn other rules off. */
const disabling = `${prefix}filter-comments`

/** A scanner that runs every rule of the preset, except the one that obeys comments. */
export function secretlintScan(): ForeignScan {
  let found: Found[] = []
  const preset: readonly Rule[] = rules // its types need a package of their own
  const active = preset.filter(({ meta }) => meta.id !== disabling)
  const handles = active.map((rule) =>
    rule.create(
      contextOf(rule, (hit) => found.push(hit)),
      {},
    ),
  )
  return async (text) => {
    found = []
    const source = sourceOf(text)
    for (const handle of handles) await handle.file?.(source)
    return found
  }
}

function contextOf({ meta }: Rule, add: (hit: Found) => void): RuleContext {
  const rule = `secretlint-${meta.id.replace(prefix, '')}`
  return {
    sharedOptions: {},
    // Messages quote the value, so none is created.
    createTranslator: () => () => ({}),
    ignore() {},
    report: ({ range: [start, end] }) => add({ start, end, rule }),
  }
}

function sourceOf(content: string): Source {
  const unknown = (): undefined => undefined
  return {
    ...{ content, contentType: 'text', ext: '.txt', filePath: undefined, hasBOM: false },
    ...{ getFilePath: unknown, getPhysicalFilePath: unknown },
  }
}

// Lets other scanners read what ours has read, window by window, so that memory contains only the windows of a piece.

/** Windows that wait for other scanners. */
export interface ForeignQueue {
  add(window: ReadWindow, onHit: OnHit): void
  /** Has every added window read, and reports what our own rules did not find in it. */
  drain(): Promise<void>
}

/** A queue for scanners that are run one after the other; each window goes to `collect` first. */
export function foreignQueue(scans: readonly ForeignScan[], collect?: (window: ReadWindow) => void): ForeignQueue {
  let waiting: { window: ReadWindow; onHit: OnHit }[] = []
  return {
    add(window, onHit) {
      collect?.(window)
      waiting.push({ window, onHit })
    },
    async drain() {
      const windows = waiting
      waiting = []
      for (const { window, onHit } of windows) {
        for (const hit of await foreignHits(window, scans)) onHit(hit, window.text, window.markAt(hit.start))
      }
    },
  }
}

/** What other scanners find in the part of a window that counts, and ours did not, in its text and in its base64. */
async function foreignHits({ text, from, to, hits, runs }: ReadWindow, scans: readonly ForeignScan[]): Promise<Hit[]> {
  const unmarked = withoutMarks(text)
  const seen: Hit[] = [...hits]
  const found: Hit[] = []
  const add = (hit: Hit): void => {
    const isKnown = seen.some((other) => other.start < hit.end && hit.start < other.end && isSecret(other))
    if (hit.start < from || hit.start >= to || isKnown) return
    seen.push(hit)
    found.push(hit)
  }
  for (const scan of scans) {
    for (const { start, end, rule } of await scan(unmarked)) add({ start, end, ruleId: `secret/${rule}` })
    for (const { start, end, decoded } of runs) {
      for (const { start: at, end: until, rule } of await scan(decoded)) {
        add({ start, end, ruleId: `secret/${rule}`, encoded: decoded.slice(at, until) })
      }
    }
  }
  return found.sort((a, b) => a.start - b.start)
}

/** Blanks out the marks of redaction, which are not secrets; a scanner would read `user:[redacted:…]@host` as a password. */
function withoutMarks(text: string): string {
  return text.replace(/\[redacted:[a-z][a-z\d]{0,19}(?:-[a-z\d]{1,19}){0,5}(?:#\d{1,6})?\]/g, (mark) =>
    ' '.repeat(mark.length),
  )
}
