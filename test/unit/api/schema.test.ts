/** The published schema of the tree is that of its types: every golden tree fits it and has no other keys. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { transcribe } from '../../../src/index.ts'
import { jsonTree } from '../../helpers/render.ts'

/** The build script, which has no types. */
interface SchemaScript {
  transcriptSchema: (src: string, options?: { isClosed?: boolean }) => object
}

const script: SchemaScript = await import(new URL('../../../.ci/schema.mjs', import.meta.url).href)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const golden = join(root, 'test/golden')
const trees = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('tree.json'))

function validator(isClosed: boolean): ValidateFunction {
  return new Ajv2020({ strict: false, allErrors: true }).compile(
    script.transcriptSchema(join(root, 'src'), { isClosed }),
  )
}

/** The faults of a document, one line each. */
function faultsOf(document: unknown, isClosed = true): string[] {
  const validate = validator(isClosed)
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const closed = validator(true)

test.each(trees)('%s fits the schema and has no other key', (name) => {
  const session: unknown = JSON.parse(readFileSync(join(golden, name), 'utf8'))
  closed({ schema: 'codex-export/transcript', version: 1, generator: 'codex-export 0', session })
  expect((closed.errors ?? []).slice(0, 5)).toEqual([])
})

test('a document as `show --format json` prints it fits', async () => {
  const { session } = await transcribe(join(golden, 'patch/input.jsonl'))
  expect(faultsOf(JSON.parse(jsonTree(session, 'codex-export 0')))).toEqual([])
})

test('a document that does not fit is rejected, and only the published schema allows new keys', async () => {
  const { session } = await transcribe(join(golden, 'patch/input.jsonl'))
  const document = JSON.parse(jsonTree(session, 'codex-export 0'))
  expect(faultsOf({ ...document, version: 2 })).not.toEqual([])
  const later = { ...document, session: { ...document.session, mood: 'calm' } }
  expect(faultsOf(later, false)).toEqual([])
  expect(faultsOf(later)).toEqual(['/session must NOT have additional properties'])
  const { threadId: _, ...nameless } = document.session
  expect(faultsOf({ ...document, session: nameless }, false)).toEqual([
    "/session must have required property 'threadId'",
  ])
})
