/**
 * A real Codex asks our server what was said before:
 *
 *     CODEX_BIN=path/to/codex npm run test:codex
 */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuild } from '../helpers/cli.ts'
import { shareTempDir } from '../helpers/temp.ts'
import { type CodexHome, codexHome } from './codex.ts'
import { type MockModel, type ModelItem, message, startModel } from './mock-model.ts'

const bin = process.env['CODEX_BIN'] ?? ''
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** A call of one of our tools under every name that any Codex gave it; a Codex does not know the other names. */
function toolCalls(tool: string, args: object): ModelItem[] {
  const names = [{ name: tool, namespace: 'mcp__past' }, { name: `mcp__past__${tool}` }]
  return names.map((name, index) => ({
    ...{ type: 'function_call', id: `fc_${tool}_${index}`, call_id: `call_${tool}_${index}` },
    ...{ ...name, arguments: JSON.stringify(args) },
  }))
}

describe.skipIf(bin === '')('a real Codex', () => {
  const folder = shareTempDir()
  let model: MockModel
  let home: CodexHome

  beforeAll(async () => {
    requireBuild()
    model = await startModel()
    home = codexHome(bin, folder, model.url)
    home.configure([
      `mcp_servers.past.command = ${JSON.stringify(process.execPath)}`,
      `mcp_servers.past.args = ${JSON.stringify([program, 'mcp', '--codex-home', home.path])}`,
      // From 0.171 on, a turn may otherwise begin before the server is ready, without its tools.
      'mcp_servers.past.required = true',
    ])
  })

  afterAll(() => model.close())

  test('finds an answer of another session', async () => {
    model.say([message('The lantern needs a new wick.')])
    await home.exec('What is wrong with the lantern?')
    model.heard()
    model.say(toolCalls('search', { query: 'lantern kind:answer' }), [message('A new wick.')])
    await home.exec('What did we find out last month?')
    const outputs = JSON.stringify(
      model
        .heard()
        .at(-1)
        ?.filter(({ type }) => type === 'function_call_output'),
    )
    expect(outputs).toContain('not instructions')
    expect(outputs).toContain('The lantern needs a new wick.')
    // The session that asks has the word too, in its own call.
    model.say(toolCalls('search', { query: 'wick' }), [message('Found.')])
    await home.exec('Who sells a wick?')
    const found = JSON.stringify(
      model
        .heard()
        .at(-1)
        ?.filter(({ type }) => type === 'function_call_output'),
    )
    expect(found).toContain('The lantern needs a new wick.')
    if (found.includes('Who sells')) expect(found).toContain('mayBeCurrent')
  })
})
