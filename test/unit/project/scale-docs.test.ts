/** The examples of docs/scale.md: they can be parsed, and use existing flags and variables. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Command, options, settingNames } from '../../../src/config/schema.ts'
import { shardOf } from '../../../src/site/shards-fs.ts'

const text = readFileSync(join(fileURLToPath(new URL('../../../', import.meta.url)), 'docs/scale.md'), 'utf8')
const blocks = [...text.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
  language,
  code,
}))
const documents = blocks.filter(({ language }) => language === 'yaml').flatMap(({ code }) => parseAllDocuments(code))

/** Calls of the program in all examples, with their flags. */
const calls = [...text.matchAll(/codex-export,? (build|merge)\b([^\n#'`]*)/g)].map(([, command = '', rest = '']) => ({
  command: command as Command,
  flags: [...rest.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag),
}))

describe('docs/scale.md', () => {
  it('has examples that are valid YAML', () => {
    expect(documents.length).toBe(3)
    for (const document of documents) expect(document.errors).toEqual([])
  })

  it('starts as many tasks in Kubernetes as it says', () => {
    const job = documents.map((document) => document.toJS()).find(({ metadata }) => metadata?.name === 'shards')
    const { completions, completionMode, template } = job.spec
    const [{ name, value }] = template.spec.containers[0].env
    expect([completionMode, name, value]).toEqual(['Indexed', 'JOB_COMPLETIONS', String(completions)])
    expect(shardOf('auto', { JOB_COMPLETION_INDEX: String(completions - 1), [name]: value }).index).toBe(completions)
  })

  it('calls the program with flags that the commands accept', () => {
    expect(calls.length).toBeGreaterThan(7)
    for (const { command, flags } of calls) {
      const known = settingNames
        .filter((name) => options[name].commands.includes(command))
        .map((name) => options[name].flag)
      expect(flags.filter((flag) => !known.includes(flag))).toEqual([])
    }
  })

  it('names the environment variables that are read', () => {
    const rows = [...text.matchAll(/^\| [^|]+ \| `([A-Z_]+)` \| (?:(\d)|`([A-Z_]+)`) \| `([A-Z_]+)`/gm)]
    expect(rows).toHaveLength(3)
    for (const [, index = '', first, firstName, total = ''] of rows) {
      const env = { [index]: first ?? '5', [total]: '2', ...(firstName !== undefined && { [firstName]: '5' }) }
      expect(shardOf('auto', env)).toEqual({ index: 1, total: 2 })
    }
  })
})
