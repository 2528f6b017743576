/**
 * A second scanner that is not ours: the rules of secretlint's recommended preset, pinned to one version, in this process.
 * Its rules are asked without its core, which keeps a list of every measurement, and would read comments in a transcript
 * that turn rules off.
 */
import { rules } from '@secretlint/secretlint-rule-preset-recommend'

/** A part of a text that another scanner takes for a secret, `end` exclusive. */
export interface ForeignHit {
  start: number
  end: number
  /** Kind, with the scanner's name before it. */
  rule: string
}

/** Looks at a text. Its calls must not overlap. */
export type ForeignScan = (text: string) => Promise<readonly ForeignHit[]>

/** A rule of secretlint 11, as far as it is needed here. */
interface Rule {
  meta: { id: string }
  create(context: RuleContext, options: object): { file?(source: Source): unknown }
}

interface RuleContext {
  sharedOptions: object
  createTranslator(): () => object
  ignore(): void
  report(descriptor: { range: readonly [start: number, end: number] }): void
}

interface Source {
  content: string
  contentType: 'text'
  ext: string
  filePath: undefined
  hasBOM: false
  getFilePath(): undefined
  getPhysicalFilePath(): undefined
}

const prefix = '@secretlint/secretlint-rule-'
/** Obeys comments in the text that turn other rules off. */
const disabling = `${prefix}filter-comments`

/** A scanner that asks every rule of the preset. */
export function secretlintScan(): ForeignScan {
  let found: ForeignHit[] = []
  const preset: readonly Rule[] = rules // its types need a package of their own
  const own = preset.filter(({ meta }) => meta.id !== disabling)
  const handles = own.map((rule) =>
    rule.create(
      contextOf(rule, (hit) => found.push(hit)),
      {},
    ),
  )
  return async (text) => {
    found = []
    const source = sourceOf(text)
    for (const handle of handles) await handle.file?.(source)
    return found
  }
}

function contextOf({ meta }: Rule, add: (hit: ForeignHit) => void): RuleContext {
  const rule = `secretlint-${meta.id.replace(prefix, '')}`
  return {
    sharedOptions: {},
    // Messages quote the value: none is made.
    createTranslator: () => () => ({}),
    ignore() {},
    report: ({ range: [start, end] }) => add({ start, end, rule }),
  }
}

function sourceOf(content: string): Source {
  const unknown = (): undefined => undefined
  return {
    ...{ content, contentType: 'text', ext: '.txt', filePath: undefined, hasBOM: false },
    ...{ getFilePath: unknown, getPhysicalFilePath: unknown },
  }
}
