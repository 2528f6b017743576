/** Golden cases: folders with an input and the expected result, and a way to accept the current result. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Diagnostic, formatDiagnostic } from '../../src/diagnostics/codes.ts'

const folder = fileURLToPath(new URL('../golden', import.meta.url))

/** One case. */
export interface GoldenCase {
  /** Name of its folder. */
  name: string
  /** Absolute path of the rollout. */
  input: string
  description: string
  /** Ids of the diagnostics that the input must cause, sorted, each once. */
  diagnostics: string[]
  /** Absolute path of a file below `expected/`. */
  expected: (file: string) => string
}

/** All cases, by name. */
export function goldenCases(): GoldenCase[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'case.json')),
  )
  return names.map(({ name }) => readCase(join(folder, name))).sort((a, b) => a.name.localeCompare(b.name))
}

function readCase(path: string): GoldenCase {
  const { description, diagnostics } = JSON.parse(readFileSync(join(path, 'case.json'), 'utf8'))
  const lines = join(path, 'input.jsonl')
  return {
    name: basename(path),
    input: existsSync(lines) ? lines : join(path, 'input.json'),
    description,
    diagnostics,
    expected: (file) => join(path, 'expected', file),
  }
}

/** HTML with a line break before each block, so that people can read what changed. */
export function readableHtml(html: string): string {
  const block =
    /(?<!^)(?=<(?:article|section|header|details|summary|figure|aside|h[1-6]|p|ul|ol|li|pre|table|div|nav)\b)/g
  return `${html.replace(block, '\n')}\n`
}

/** Diagnostics as lines, in the order of the file. */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((item) => `${formatDiagnostic(item)}\n`).join('')
}
