/** What recorded texts say about the calls of a script, if script and texts are made to be expensive. */
import { describe, expect, it } from 'vitest'
import { attribute } from '../../../../src/rollout/script/attribute.ts'
import { readScript } from '../../../../src/rollout/script/read-script-fs.ts'

describe('texts of a script', () => {
  it('belong to the script if they are nested too deeply to be compared', () => {
    const output = '['.repeat(50_000) + ']'.repeat(50_000)
    const deep = `{"out":${output},"code":0}`
    const script = readScript('const r = await tools.x({}); text({ out: r.output, code: r.exit_code })')
    // V8 of Node 26 reads and writes values of any depth.
    const isCompared = Number.parseInt(process.versions.node, 10) >= 26
    expect(attribute(script, [deep], true)).toMatchObject({
      found: new Map(isCompared ? [[0, { output, exitCode: 0 }]] : []),
      unattributed: isCompared ? [] : [deep],
    })
  })

  it('are compared only once with an object that contains itself again and again', () => {
    // A comparison with each of 2 ** 60 places would never end.
    const script = readScript(`const r = await tools.x({});
      let all = { word: 'none' };
      for (let i = 0; i < 60; i++) all = { left: all, right: all };
      text(r.output ?? all)`)
    expect(attribute(script, ['found'], true).found).toEqual(new Map([[0, { output: 'found' }]]))
  })

  it('are no result if the script made them for a call that failed, also in a loop that may end early', () => {
    const script = readScript(`try {
      for (const cmd of ['a', 'b']) {
        const r = await tools.exec_command({ cmd })
          .catch((e) => ({ output: 'caught ' + e.message, exit_code: -2 }))
        text(\`exit \${r.exit_code}\\n\${r.output}\`)
      }
    } catch (e) { text('failed: ' + e.message) }`)
    const parts = ['exit 0\nfine', 'exit -2\ncaught trouble']
    expect(attribute(script, parts, true)).toMatchObject({
      found: new Map([[0, { exitCode: 0, output: 'fine' }]]),
      unattributed: ['exit -2\ncaught trouble'],
    })
  })

  it('are no results of calls that the script does not print, though there are as many of both', () => {
    const script = readScript(`const a = await tools.exec_command({ cmd: 'a' });
    try {
      const b = await tools.exec_command({ cmd: 'b' });
      await tools.exec_command({ cmd: 'c' });
      text(a); text(b); text(a);
    } catch (e) { text(String(e)) }`)
    const [first, second] = ['{"output":"fine","exit_code":0}', '{"output":"bad","exit_code":1}'] as const
    expect([...attribute(script, [first, second, first], true).found.keys()]).not.toContain(2)
  })
})
