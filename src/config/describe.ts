/** Options in words, for help and docs. */
import type { Option } from './schema.ts'

/** What an option defaults to, or `undefined` where it is simply off or absent. */
export function defaultText({ default: value, defaultHelp, kind }: Option<unknown>): string | undefined {
  if (defaultHelp !== undefined) return defaultHelp
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.join(',')
  if (typeof value === 'boolean') return kind.placeholder === '' && value ? 'on' : undefined
  return value === undefined ? undefined : String(value)
}
