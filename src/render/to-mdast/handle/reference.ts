/** Files, pages, sessions and commits that a part names. */
import type { Reference } from '../../../model/trast.ts'
import { type Inline, mono, paragraph, webLink } from '../build.ts'
import { threadLink } from '../link-thread.ts'
import type { Handle, State } from '../state.ts'

/** A reference inside a line: a link where the target is a page, else the target in code type. */
export function referenceInline(node: Reference, state: State): Inline[] {
  const { kind, target, label } = node
  if (kind === 'session') return threadLink(target, state.context)
  if (kind === 'url' || kind === 'pullRequest') return webLink(target, label ?? target)
  return label === undefined || label === target ? [mono(target)] : [`${label} `, mono(target)]
}

const words: Readonly<Record<Reference['kind'], string>> = {
  file: 'File',
  url: 'Page',
  skill: 'Skill',
  session: 'Session',
  commit: 'Commit',
  pullRequest: 'Pull request',
}

/** A reference on a line of its own. */
export const reference: Handle<Reference> = (node, state) => [
  paragraph(`${words[node.kind]}: `, ...referenceInline(node, state)),
]
