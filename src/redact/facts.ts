/** What lists, links and names say of a session, without its secrets. */
import type { Segment, Thread } from '../model/rollout.ts'
import type { ScanFacts } from '../model/summary.ts'
import { defined } from '../util/defined.ts'
import type { Redactor } from './redactor.ts'

/** The facts of a scan. The prompt comes before the title, which may be a cut piece of it. */
export function redactFacts(facts: ScanFacts, { text }: Redactor): ScanFacts {
  const maybe = (value: string | undefined): string | undefined => (value === undefined ? undefined : text(value))
  const firstPrompt = maybe(facts.firstPrompt)
  const title = text(facts.title)
  return {
    ...facts,
    title,
    cwds: facts.cwds.map(text),
    outline: facts.outline.map((entry) => ({ ...entry, text: text(entry.text) })),
    ...defined({
      firstPrompt,
      lastPrompt: maybe(facts.lastPrompt),
      branch: maybe(facts.branch),
      remote: maybe(facts.remote),
      version: maybe(facts.version),
    }),
  }
}

/** A thread whose names and heads are without secrets. Paths of files stay, for they are opened. */
export function redactThread(thread: Thread, redactor: Redactor): Thread {
  redactor.passage('head')
  const shown = {
    ...thread,
    ...defined({ name: thread.name === undefined ? undefined : redactor.text(thread.name) }),
    segments: thread.segments.map((segment) => redactSegment(segment, redactor)),
  }
  redactor.passage('around')
  return shown
}

function redactSegment({ head, file, ...rest }: Segment, { text }: Redactor): Segment {
  const { cwd, git, agent, originator, version, source, modelProvider, rootId, parentId, forkedFromId } = head
  const shown = { cwd, originator, version, source, modelProvider, rootId, parentId, forkedFromId }
  return {
    ...rest,
    file: { ...file, name: text(file.name) },
    head: {
      ...head,
      ...defined(texts(shown, text)),
      ...defined({
        git: git === undefined ? undefined : texts(git, text),
        agent: agent === undefined ? undefined : texts(agent, text),
      }),
    },
  }
}

/** The same fields, their texts without secrets. */
function texts<T extends object>(fields: T, text: (text: string) => string): T {
  // Texts stay texts, and all else stays as it is.
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === 'string' ? text(value) : value]),
  ) as T
}
