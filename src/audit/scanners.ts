/** Scanners of others that a person can ask for by name: how each is called, and how its report reads. */

/** A scanner that is a program of its own. */
export type ScannerName = 'gitleaks' | 'trufflehog'

/** Folders and files of one run, absolute; none of them lies in the site. */
export interface ScanPlaces {
  /** Folder with the texts to scan, and nothing else. */
  texts: string
  /** Folder in which it runs, with nothing in it but what follows. */
  work: string
  /** Configuration that we wrote. */
  config: string
  /** File for the report of a scanner that writes one. */
  report: string
}

/** What a scanner reports. */
export interface ScannerHit {
  /** Path as the scanner names it. */
  file: string
  /** Kind, in the characters of rule ids. */
  kind: string
  value: string
}

/** One scanner. */
export interface Scanner {
  /** What our configuration says; empty where there is none. */
  config: string
  /** Arguments by which it asks no vendor, updates nothing, and obeys nothing that stands in what it scans. */
  args(places: ScanPlaces): string[]
  /** Where the report comes from. */
  reportsTo: 'file' | 'stdout'
  /** The hits of a report; `undefined` where it is none. */
  read(report: string): ScannerHit[] | undefined
}

/** The scanners by name. */
export const scanners: Readonly<Record<ScannerName, Scanner>> = {
  gitleaks: {
    config: '[extend]\nuseDefault = true\n',
    args: ({ texts, work, config, report }) => [
      ...['detect', '--no-git', '--source', texts],
      ...['--config', config, '--gitleaks-ignore-path', work, '--ignore-gitleaks-allow'],
      ...['--report-format', 'json', '--report-path', report],
      ...['--exit-code', '0', '--no-banner', '--no-color', '--log-level', 'error'],
    ],
    reportsTo: 'file',
    read: (report) => hitsOf(parsed(report), ({ File, RuleID, Secret, Match }) => [File, RuleID, Secret || Match]),
  },
  trufflehog: {
    config: '',
    args: ({ texts }) => ['filesystem', texts, '--json', '--no-verification', '--no-update', '--no-color'],
    reportsTo: 'stdout',
    read: (report) => {
      const lines = report.split('\n').filter((line) => line.trim() !== '')
      const hits = lines.map(parsed).filter((hit) => at(hit, 'DetectorName') !== undefined)
      return hitsOf(hits, (hit) => [
        at(hit, 'SourceMetadata', 'Data', 'Filesystem', 'file'),
        hit['DetectorName'],
        hit['Raw'],
      ])
    },
  },
}

type Fields = Record<string, unknown>

function hitsOf(items: unknown, read: (item: Fields) => unknown[]): ScannerHit[] | undefined {
  // gitleaks writes `null` where it found nothing.
  if (items === null) return []
  if (!Array.isArray(items)) return undefined
  return items.flatMap((item: unknown) => {
    const [file, kind, value] = typeof item === 'object' && item !== null ? read(item as Fields) : []
    if (typeof file !== 'string' || typeof value !== 'string' || value === '') return []
    return [{ file, kind: kindOf(kind), value }]
  })
}

function kindOf(name: unknown): string {
  const text = typeof name === 'string' ? name.toLowerCase().replace(/[^a-z\d]+/g, '-') : ''
  return text.replace(/^-|-$/g, '').slice(0, 60) || 'secret'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Fields)[key] : undefined),
    value,
  )
}
