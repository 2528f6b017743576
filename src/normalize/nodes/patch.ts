/** Patches as per-file changes (rollout-format 8). */
import type { Action, ChangeFact } from '../../model/facts.ts'
import type { FileChange, Hunk, Patch, Status } from '../../model/trast.ts'
import { resolvePath } from '../../util/paths.ts'
import type { CallGroup, Fragment } from '../fragment.ts'
import { base, idMaker, missingStatus, type NodeContext, output } from './context.ts'

type Group = Fragment & { fact: CallGroup }

const boilerplate = /^\s*(?:Success\. Updated the following files:\n(?:[AMDR] .*\n?)*|Done!?)?\s*$/

/** The patch of a group: structured changes first, the patch text second, the raw text last (8.3). */
export function patchNode(group: Group, context: NodeContext): Patch {
  const { call, outputs, results } = group.fact
  const result = results.findLast((item) => item.result.type === 'patch')
  const action = call?.action.type === 'patch' ? call.action : undefined
  const recorded = result?.result.type === 'patch' ? result.result : undefined
  const next = idMaker(group)
  const outcome = outputs.at(-1)?.outcome
  const status: Status = result?.status ?? outcome?.status ?? missingStatus(context.turn)
  const durationMs = result?.durationMs ?? outcome?.durationMs
  const callId = call?.callId ?? result?.callId
  const node: Patch = {
    ...base(group),
    type: 'patch',
    ...(callId === undefined ? {} : { callId }),
    status,
    ...(durationMs === undefined ? {} : { durationMs }),
    children: [],
  }
  node.children.push(...patchBody(action, recorded, action?.cwd ?? context.turn?.cwd, next))
  const told =
    outputs.map((item) => item.outcome.body).join('\n') ||
    [recorded?.stdout, recorded?.stderr].filter(Boolean).join('\n')
  if (!boilerplate.test(told)) node.children.push(output(told, next(), outcome?.truncated ?? false))
  return node
}

/** The script around the patch where it does more, then the files, or the raw text where it breaks the grammar. */
function patchBody(
  action: Extract<Action, { type: 'patch' }> | undefined,
  recorded: { changes: ChangeFact[] } | undefined,
  cwd: string | undefined,
  next: () => string,
): Patch['children'] {
  const body: Patch['children'] = []
  if (action?.script !== undefined) body.push({ type: 'text', id: next(), value: action.script, lang: 'sh' })
  const changes = recorded !== undefined && recorded.changes.length > 0 ? recorded.changes : action?.changes
  if (changes !== undefined) body.push(...changes.map((change) => fileChange(located(change, cwd), next)))
  else if (action !== undefined) body.push({ type: 'text', id: next(), value: action.text, lang: 'diff' })
  return body
}

/** Paths of a patch text hang on the call's folder; recorded ones are absolute. One file has one name (8.1). */
function located(change: ChangeFact, cwd: string | undefined): ChangeFact {
  const path = resolvePath(cwd, change.path)
  return change.movedTo === undefined
    ? { ...change, path }
    : { ...change, path, movedTo: resolvePath(cwd, change.movedTo) }
}

function fileChange(change: ChangeFact, next: () => string): FileChange {
  const lines = change.hunks.flatMap((hunk) => hunk.value.split('\n'))
  return {
    type: 'fileChange',
    id: next(),
    path: change.path,
    operation: change.operation,
    ...(change.movedTo === undefined ? {} : { movedTo: change.movedTo }),
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    children: change.hunks.map((hunk): Hunk => ({ type: 'hunk', id: next(), ...hunk })),
  }
}
