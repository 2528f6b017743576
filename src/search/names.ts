/** Names that operators of the search ask for. */

import type { Patch, Session, ToolCall, TrastNode } from '../transcript/trast.ts'
import { changesOf, isOnlyCopy, walk } from '../transcript/view.ts'
import { joinTexts } from '../util/join-texts.ts'
import { pathBelow } from '../util/paths.ts'

/** Paths of edits from a folder on, tools with their servers' before them. */
export function namesIn(
  slice: Session,
  folder: string | undefined = slice.cwd,
): { files?: string[]; tools?: string[] } {
  const [files, tools] = [new Set<string>(), new Set<string>()]
  walk(slice, (node) => {
    if (isLeftOut(node)) return false
    if (node.type === 'patch') for (const path of pathsOf(node, folder)) files.add(path)
    if (node.type === 'toolCall') tools.add(toolName(node))
    return undefined
  })
  return { ...(files.size > 0 && { files: [...files] }), ...(tools.size > 0 && { tools: [...tools] }) }
}

/** Whether nothing of a node is searched: what was taken back, and what was copied, unless the copy is all there is of it. */
export function isLeftOut(node: TrastNode): boolean {
  if (node.type === 'group' && node.kind === 'inherited') return !isOnlyCopy(node)
  return (node.type === 'group' && node.kind === 'rolledBack') || node.data?.visibility === 'hidden'
}

/** Paths of an edit, told from a folder. */
export function pathsOf(node: Patch, folder: string | undefined): string[] {
  const paths = changesOf(node).flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  return paths.map((path) => pathBelow(path, folder))
}

/** `server/tool`, or the tool's name alone. */
export function toolName({ server, tool }: ToolCall): string {
  return joinTexts([server, tool], '/')
}
