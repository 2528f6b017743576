import { describe, expect, it } from 'vitest'
import { scriptGist } from '../../../src/render/transcript/hast/command.ts'

describe('what a script is about', () => {
  it.each([
    ['a command', 'const r = await tools.exec_command({"cmd":"npm test","yield_time_ms":100});', 'npm test'],
    ['a command by a bare name', "tools.exec_command({ cmd: 'make -j2' })", 'make -j2'],
    ['several commands', 'f({"cmd":"ls"}), f({"cmd":"pwd"})', 'ls · pwd'],
    ['quotes and the first line of a command', String.raw`f({"cmd":"echo \"a\"\\b\necho c"})`, String.raw`echo "a"\b`],
    [
      'the files of a patch',
      String.raw`const p = "*** Begin Patch\n*** Update File: src/a b.ts\n@@\n*** Add File: c.ts\n+x"; tools.apply_patch(p)`,
      'patch src/a b.ts, c.ts',
    ],
    ['the files of a patch in a template', 'x(`*** Delete File: a.ts\n`)', 'patch a.ts'],
    [
      'tools, each once',
      'await tools.mcp__stock__find({}); await tools.view_image({}); tools.view_image({})',
      'mcp__stock__find, view_image',
    ],
  ])('is %s', (_name, script, expected) => {
    expect(scriptGist(script)).toBe(expected)
  })

  it.each(['', 'nope()', 'text("cmd")', `${' '.repeat(5000)}f({"cmd":"late"})`])('is not guessed from %j', (script) => {
    expect(scriptGist(script)).toBeUndefined()
  })

  it('takes no longer for strings without an end', () => {
    expect(scriptGist(`f({"cmd":"${'\\"'.repeat(2000)}`)).toBeUndefined()
  })
})
