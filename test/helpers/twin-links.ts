/** The links from Markdown twins of a site into the site. */

import { posix } from 'node:path'

/** Forms of targets that only we write: a file next to the twin, and another folder of the site. */
const ownTarget = /\]\(((?:\.\.\/)+(?:sessions|assets)\/[^\s()]+|(?:\.\.\/)?[\w-]+\/index\.md|[\w.-]+\.txt)\)/g

/** Links of the twins among some texts: those to missing files, and the number of all. */
export function twinLinks(texts: ReadonlyMap<string, string>): { dead: string[]; count: number } {
  const dead: string[] = []
  let count = 0
  for (const [path, text] of texts) {
    if (!/^sessions\/.*\.md$/.test(path)) continue
    for (const [, target = ''] of withoutFences(text).matchAll(ownTarget)) {
      count++
      const file = posix.join(posix.dirname(path), target)
      if (!texts.has(file)) dead.push(`${path}: ${target}`)
    }
  }
  return { dead, count }
}

function withoutFences(text: string): string {
  return text.replace(/^[ >]*(`{3,})[^`\n]*\n[\s\S]*?\n[ >]*\1`*$/gm, '')
}
