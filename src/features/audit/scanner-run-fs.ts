/**
 * Runs other scanners over the texts of a site. They get copies of the decoded texts, in a folder that only we can read, so that
 * nothing in the site controls what they skip. They run without a shell, verify nothing with vendors, and have no network if the
 * system lets us remove it. The folder is removed at the end.
 */

import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  appendFileSync,
  constants,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import process from 'node:process'
import type { Settings } from '../../config/schema.ts'
import { UsageError } from '../../diagnostics/errors.ts'
import { makeTempFolder } from '../../site/spool-fs.ts'
import type { Host } from '../../site/types.ts'
import { isWithin } from '../../util/files-fs.ts'
import { parseJson } from '../../util/json.ts'
import { defined } from '../../util/own.ts'
import { reasonOf } from '../../util/reason.ts'
import type { ReadWindow } from './text-scan.ts'

/** A longer report is not read, and a scanner that prints one is killed. */
const maxReport = 64 << 20

/** The environment of a run. */
type ScannerHost = Pick<Host, 'env' | 'signal'>

/** A hit in a file of the site. */
interface SiteHit {
  path: string
  /** Name of the scanner, and the kind of finding. */
  rule: string
  value: string
}

/** Texts for scanners, and what they find in them. */
export interface ScannerRun {
  /** Begins a file of the site, to which the next windows belong. */
  begin(path: string): void
  add(window: ReadWindow): void
  /** Runs the scanners. Throws a `UsageError` if one of them fails, because a scan that did not run finds nothing. */
  finish(): Promise<SiteHit[]>
  /** Removes all texts. */
  close(): void
}

/** Prepares scanners for the site in a folder. Throws a `UsageError` for one that is not on the path. */
export function openScanners(names: readonly ScannerName[], site: string, host: ScannerHost): ScannerRun {
  const programs = names.map((name) => ({ name, program: programOf(name, site, host) }))
  const root = makeTempFolder('codex-export-scan-')
  const texts = join(root, 'texts')
  mkdirSync(texts)
  const paths: string[] = []
  let files = new Map<object, string>()
  const fileOf = (stream: object): string => {
    const existing = files.get(stream)
    if (existing !== undefined) return existing
    const file = join(texts, `${paths.length - 1}-${files.size}.txt`)
    files.set(stream, file)
    return file
  }
  return {
    begin(path) {
      paths.push(path)
      files = new Map()
    },
    add({ stream, text, from, to, runs }) {
      const file = fileOf(stream)
      // A directive may begin in one window and end in the next, so each is replaced before its surroundings are cut off.
      appendFileSync(file, withoutDirectives(text).slice(from, to))
      const decoded = runs.filter(({ start }) => start >= from && start < to).map((run) => run.decoded)
      if (decoded.length > 0) appendFileSync(`${file}.base64.txt`, withoutDirectives(`${decoded.join('\n\n')}\n\n`))
    },
    async finish() {
      const found: SiteHit[] = []
      for (const { name, program } of programs) {
        const hits = await runScanner({ name, program, root, texts }, host)
        for (const { file, kind, value } of hits) {
          const path = paths[Number.parseInt(basename(file), 10)]
          if (path !== undefined) found.push({ path, rule: `${name}-${kind}`, value })
        }
      }
      return found
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** A text of the same length without the directives that tell scanners to ignore something. */
function withoutDirectives(text: string): string {
  return text.replace(/(gitleaks|trufflehog):(?=allow|ignore)/gi, '$1 ')
}

/** The first program of a name on the path, but never one inside the site. */
function programOf(name: ScannerName, site: string, { env }: ScannerHost): string {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && !isWithin(folder, site))
  const file = process.platform === 'win32' ? `${name}.exe` : name
  const program = folders.map((folder) => join(folder, file)).find(isProgram)
  if (program === undefined)
    throw new UsageError(`\`${name}\` is not on the path. Install it, or omit \`--scanner ${name}\`.`)
  return program
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

interface Run {
  name: ScannerName
  program: string
  root: string
  texts: string
}

async function runScanner({ name, program, root, texts }: Run, host: ScannerHost): Promise<ScannerHit[]> {
  const scanner = scanners[name]
  const work = join(root, name)
  mkdirSync(work)
  const paths = { texts, work, config: join(work, 'config.toml'), report: join(work, 'report.json') }
  writeFileSync(paths.config, scanner.config)
  const { status, stdout } = await execute(program, scanner.args(paths), work, host)
  host.signal.throwIfAborted()
  const report = scanner.reportsTo === 'stdout' ? stdout : readReport(paths.report)
  const hits = status === 0 && report !== undefined ? scanner.read(report) : undefined
  if (hits !== undefined) return hits
  throw new UsageError(
    `\`${name}\` ended with exit code ${status ?? 'none'} and gave no readable report; it checked nothing.`,
  )
}

function readReport(file: string): string | undefined {
  try {
    return statSync(file).size > maxReport ? undefined : readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs a program to its end. Its standard error is discarded, because it may quote what it found. */
function execute(
  program: string,
  args: readonly string[],
  cwd: string,
  { env, signal }: ScannerHost,
): Promise<{ status: number | null; stdout: string }> {
  const [file = program, ...rest] = [...withoutNetwork(), program, ...args]
  const child = spawn(file, rest, { cwd, env: fewVariables(env, cwd), signal, stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > maxReport) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => {
      if (signal.aborted) reject(signal.reason)
      else reject(new UsageError(`\`${basename(program)}\` cannot be run: ${reasonOf(error)}.`))
    })
    child.once('close', (status) => resolve({ status, stdout }))
  })
}

/** An environment without the user's keys and configuration, and with a proxy that does not answer. */
function fewVariables(env: ScannerHost['env'], work: string): NodeJS.ProcessEnv {
  const nowhere = 'http://127.0.0.1:9'
  return {
    PATH: env['PATH'],
    ...defined({ SystemRoot: env['SystemRoot'] }),
    ...{
      HOME: work,
      USERPROFILE: work,
      XDG_CONFIG_HOME: work,
      XDG_CACHE_HOME: work,
      TMPDIR: work,
      TEMP: work,
      TMP: work,
    },
    ...{ LC_ALL: 'C.UTF-8', NO_COLOR: '1' },
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: '' },
    ...{ http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere, no_proxy: '' },
  }
}

/** The prefix of a command that runs it without network; empty if the system offers none to ordinary users. */
function withoutNetwork(): string[] {
  const commands: Partial<Record<NodeJS.Platform, string[]>> = {
    linux: ['/usr/bin/unshare', '--user', '--map-root-user', '--net', '--'],
    darwin: ['/usr/bin/sandbox-exec', '-p', '(version 1)(allow default)(deny network*)'],
  }
  const [file, ...rest] = commands[process.platform] ?? []
  if (file === undefined || spawnSync(file, [...rest, '/usr/bin/true'], { stdio: 'ignore' }).status !== 0) return []
  return [file, ...rest]
}

// Scanners that a user can request by name: how each is called, and how its report is read.

/** A scanner that is a separate program. */
export type ScannerName = Settings['scanners'][number]

/** Absolute folders and files of one run; none of them is inside the site. */
interface ScanPaths {
  /** Folder with the texts to scan, and nothing else. */
  texts: string
  /** Folder in which it runs, with nothing in it but what follows. */
  work: string
  /** Configuration that we wrote. */
  config: string
  /** Its working folder, which contains only what follows. */
  report: string
}

/** What a scanner reports. */
interface ScannerHit {
  /** Path as the scanner reports it. */
  file: string
  /** Kind of finding, in the characters of rule ids. */
  kind: string
  value: string
}

/** One scanner. */
interface Scanner {
  /** The configuration that we give it; may be empty. */
  config: string
  /** Arguments that keep it from contacting vendors, updating itself, and obeying anything in what it scans. */
  args(paths: ScanPaths): string[]
  /** Where the report comes from. */
  reportsTo: 'file' | 'stdout'
  /** The hits of a report; `undefined` for any other text. */
  read(report: string): ScannerHit[] | undefined
}

/** The scanners, by name. */
const scanners: Readonly<Record<ScannerName, Scanner>> = {
  gitleaks: {
    config: '[extend]\nuseDefault = true\n',
    args: ({ texts, work, config, report }) => [
      ...['detect', '--no-git', '--source', texts],
      ...['--config', config, '--gitleaks-ignore-path', work, '--ignore-gitleaks-allow'],
      ...['--report-format', 'json', '--report-path', report],
      ...['--exit-code', '0', '--no-banner', '--no-color', '--log-level', 'error'],
    ],
    reportsTo: 'file',
    read: (report) => hitsOf(parseJson(report), ({ File, RuleID, Secret, Match }) => [File, RuleID, Secret || Match]),
  },
  trufflehog: {
    config: '',
    args: ({ texts }) => ['filesystem', texts, '--json', '--no-verification', '--no-update', '--no-color'],
    reportsTo: 'stdout',
    read: (report) => {
      const lines = report.split('\n').filter((line) => line.trim() !== '')
      const hits = lines.map(parseJson).filter((hit) => at(hit, 'DetectorName') !== undefined)
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
  // gitleaks writes `null` if it finds nothing.
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

function at(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Fields)[key] : undefined),
    value,
  )
}
