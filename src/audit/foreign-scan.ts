/** Lets other scanners read what ours has read: window by window, so that memory follows the windows of a piece. */
import type { ForeignScan } from './secretlint.ts'
import type { Hit } from './text-hits.ts'
import type { OnHit, ReadWindow } from './text-scan.ts'

/** Windows that wait for other scanners. */
export interface ForeignQueue {
  add(window: ReadWindow, onHit: OnHit): void
  /** Has every window read that was added, and tells what our own rules did not find in it. */
  drain(): Promise<void>
}

/** A queue for scanners that are asked one after the other; each window goes to `collect` first. */
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

/** What other scanners find in the part of a window that counts, and ours did not, in the text and in its base64. */
async function foreignHits({ text, from, to, hits, runs }: ReadWindow, scans: readonly ForeignScan[]): Promise<Hit[]> {
  const unmarked = withoutMarks(text)
  const known: Hit[] = [...hits]
  const found: Hit[] = []
  const add = (hit: Hit): void => {
    const isKnown = known.some(({ start, end, ruleId }) => start < hit.end && hit.start < end && isSecret(ruleId))
    if (hit.start < from || hit.start >= to || isKnown) return
    known.push(hit)
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

function isSecret(ruleId: string): boolean {
  return ruleId.startsWith('secret/')
}

/** What redaction wrote in place of a secret is none; a scanner would take `user:[redacted:…]@host` for a password. */
function withoutMarks(text: string): string {
  return text.replace(/\[redacted:[a-z][a-z\d]{0,19}(?:-[a-z\d]{1,19}){0,5}(?:#\d{1,6})?\]/g, (mark) =>
    ' '.repeat(mark.length),
  )
}
