/** Files, pages, sessions and commits that a part names. */
import type { Reference } from '../../../model/trast.ts'
import { referenceWord } from '../../labels.ts'
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

/** A reference on a line of its own. */
export const reference: Handle<Reference> = (node, state) => [
  paragraph(`${referenceWord(node.kind)}: `, ...referenceInline(node, state)),
]
