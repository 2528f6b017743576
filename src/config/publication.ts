/** From settings to what is published. */
import { UsageError } from '../diagnostics/errors.ts'
import { presets } from '../model/presets.ts'
import { type ContentKind, contentKinds, foldableKinds, type Shown, type Visibility } from '../model/publication.ts'
import type { PublicationSettings } from './settings.ts'

type VisibilitySettings = Pick<PublicationSettings, 'preset' | 'visibility' | 'show' | 'fold' | 'omit'>

/**
 * How each kind is shown. Strongest last: preset, `visibility`, `--show`, `--fold`, `--omit`. Throws a `UsageError` for a
 * kind that cannot be folded.
 */
export function visibilityOf({ preset, visibility, show, fold, omit }: VisibilitySettings): Visibility {
  const stiff = fold.find((kind) => !isFoldable(kind))
  if (stiff !== undefined) {
    throw new UsageError(
      `\`--fold\` does not take \`${stiff}\`; it can be shown or left out. Folded can be ${foldableKinds.join(', ')}.`,
    )
  }
  const all = (kinds: readonly ContentKind[], shown: Shown) => Object.fromEntries(kinds.map((kind) => [kind, shown]))
  return { ...presets[preset], ...visibility, ...all(show, 'show'), ...all(fold, 'fold'), ...all(omit, 'omit') }
}

/** `{ reasoning: 'fold', toolOutput: 'omit' }`, or `undefined` for what does not fit. */
export function visibilityFrom(value: unknown): Partial<Visibility> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const fits = Object.entries(value).every(([kind, shown]) => isShown(kind, shown))
  return fits ? (value as Partial<Visibility>) : undefined // every entry was looked at
}

function isShown(name: string, shown: unknown): boolean {
  const kind = contentKinds.find((known) => known === name)
  if (kind === undefined) return false
  return shown === 'show' || shown === 'omit' || (shown === 'fold' && isFoldable(kind))
}

function isFoldable(kind: ContentKind): boolean {
  return foldableKinds.some((known) => known === kind)
}
