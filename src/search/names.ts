/** Names that the operators of the search look for. */

import type { Patch, Session, ToolCall, TrastNode } from '../transcript/trast.ts'
import { changesOf, isOnlyCopy, walk } from '../transcript/view.ts'
import { joinTexts } from '../util/join-texts.ts'
import { pathBelow } from '../util/paths.ts'

/** Paths of edits, relative to a folder, and names of tools with those of their servers. */
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

/** Whether a node is not searched at all: if it was rolled back, or copied, unless the copy is all that there is. */
export function isLeftOut(node: TrastNode): boolean {
  if (node.type === 'group' && node.kind === 'inherited') return !isOnlyCopy(node)
  return (node.type === 'group' && node.kind === 'rolledBack') || node.data?.visibility === 'hidden'
}

/** Paths of an edit, relative to a folder. */
export function pathsOf(node: Patch, folder: string | undefined): string[] {
  const paths = changesOf(node).flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
  return paths.map((path) => pathBelow(path, folder))
}

/** `server/tool`, or just the tool's name. */
export function toolName({ server, tool }: ToolCall): string {
  return joinTexts([server, tool], '/')
}
