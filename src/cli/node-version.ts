/** Guard against runtimes that are too old. Old engines parse this file too: keep it plain. */

/** One line for people when a Node version does not fit `engines` of `package.json`, else `undefined`. */
export function nodeComplaint(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
  if (fits) return undefined
  return `codex-export: Node ${version} is too old; install Node 20.19, 22.12 or newer`
}
