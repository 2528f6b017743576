/** Calls of a code-mode script, read from its text without running it (rollout-format 3.7). */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts are texts here.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/rollout/script/machine.ts'
import { readScript } from '../../../../src/rollout/script/read-script-fs.ts'
import { plainOf, type Value } from '../../../../src/rollout/script/value.ts'

/** Tool and first argument of each call. */
const calls = (code: string): unknown[] =>
  readScript(code).calls.map(({ tool, args }) => [tool, plainOf(args[0] ?? undefined).value])

/** The commands of a script. */
const commands = (code: string): unknown[] =>
  readScript(code).calls.map(({ args }) => {
    const input = plainOf(args[0]).value as { cmd?: unknown; command?: unknown }
    return input.cmd ?? input.command
  })

/** Commands that are certain. */
const certain = (code: string): unknown[] => {
  const all = commands(code)
  return readScript(code).calls.flatMap(({ certain: isCertain }, index) => (isCertain ? [all[index]] : []))
}

describe('the order of calls in a script', () => {
  it.each<[string, string, unknown[]]>([
    [
      'a variable of its own in each round',
      'const all = []; for (let i = 0; i < 3; i++) all.push(() => tools.x({cmd: `n${i}`})); all.forEach((f) => f())',
      ['n0', 'n1', 'n2'],
    ],
    [
      'a variable that a function of a round changes',
      'for (let i = 0; i < 4; i++) { const skip = () => { i++ }; skip(); tools.x({cmd: `n${i}`}) }',
      ['n1', 'n3'],
    ],
    [
      'finally after a throw',
      'try { try { throw 1 } finally { tools.x({cmd: "a"}) } } catch { tools.x({cmd: "b"}) }',
      ['a', 'b'],
    ],
    [
      'finally after a handler that throws',
      'const f = () => { try { throw 1 } catch (e) { throw e } finally { tools.x({cmd: "a"}); return } }; f(); tools.x({cmd: "b"})',
      ['a', 'b'],
    ],
    [
      'continue of the outermost of three loops',
      `outer: for (const a of [1, 2]) for (const b of [1, 2]) for (const c of [1, 2]) {
        tools.x({cmd: [a, b, c].join("")}); continue outer }`,
      ['111', '211'],
    ],
    [
      'continue of the loop itself by its label',
      'a: b: for (const i of [1, 2]) { if (i === 1) continue a; tools.x({cmd: `n${i}`}) }',
      ['n2'],
    ],
    ['keys in the order of JavaScript', 'for (const k in {b: 1, 2: 1, 1: 1}) tools.x({cmd: k})', ['1', '2', 'b']],
    ['an assignment that is not made', 'let a = "x"; a ??= tools.x({cmd: "no"}); tools.x({cmd: a})', ['x']],
    ['an absent member', 'const a = null; if (a?.b) tools.x({cmd: "no"}); tools.x({cmd: "yes"})', ['yes']],
  ])('follows %s', (_name, code, expected) => {
    expect(certain(code)).toEqual(expected)
    expect(commands(code)).toEqual(expected)
  })

  it.each<[string, string]>([
    [
      'its function',
      'const f = async () => { try { return await tools.x({cmd: "a"}) } catch {} tools.x({cmd: "b"}) }; f()',
    ],
    ['its round', 'for (const i of [1]) { try { await tools.x({cmd: "a"}); break } catch {} tools.x({cmd: "b"}) }'],
    ['the script', 'try { await tools.x({cmd: "a"}); return } catch {} tools.x({cmd: "b"})'],
  ])('continues after a block that leaves %s, if a call in it may fail', (_name, code) => {
    expect(commands(code)).toEqual(['a', 'b'])
    expect(certain(code)).toEqual(['a'])
  })

  it('ends after a block and a handler that both leave', () => {
    const code = 'const f = () => { try { return tools.x({cmd: "a"}) } catch { return 1 } tools.x({cmd: "no"}) }; f()'
    expect(commands(code)).toEqual(['a'])
  })

  it('includes finally after exit, but not for certain', () => {
    const code = 'try { exit() } finally { tools.x({cmd: "a"}) } tools.x({cmd: "no"})'
    expect([commands(code), certain(code)]).toEqual([['a'], []])
  })
})

describe('plain data of a value', () => {
  it.each<[string, Value]>([
    ['list', { kind: 'list', items: new Array(20_001).fill(1), open: false }],
    [
      'object',
      { kind: 'fields', entries: new Map(Array.from({ length: 20_001 }, (_, at) => [`${at}`, 1])), open: false },
    ],
  ])('is incomplete if a %s has more values than are written out', (_name, value) => {
    expect(plainOf(value).complete).toBe(false)
  })
})

describe('the calls of a script', () => {
  it.each<[string, string, unknown[]]>([
    ['literal arguments', 'await tools.exec_command({"cmd":"npm test","yield_time_ms":1000})', ['npm test']],
    ['a bare call without await', "tools.shell_command({ command: 'ls' })", ['ls']],
    ['a template', 'const dir = "src"; await tools.exec_command({ cmd: `ls ${dir}/a` })', ['ls src/a']],
    ['shorthand of a variable', 'const cmd = `make`; await tools.exec_command({ cmd })', ['make']],
    ['joined texts', `const a = "cat " + 'x' + ".txt"; tools.exec_command({cmd: a})`, ['cat x.txt']],
    ['JSON of a known text', 'tools.exec_command({cmd: "echo " + JSON.stringify("a b")})', ['echo "a b"']],
    ['String.raw', 'tools.exec_command({cmd: String.raw`grep "\\d+" ${"f"}`})', ['grep "\\d+" f']],
    ['Promise.all over calls', 'await Promise.all([tools.a({cmd:"one"}), tools.a({cmd:"two"})])', ['one', 'two']],
    [
      'map over a literal list',
      'await Promise.all(["a","b"].map(f => tools.x({cmd: "cat " + f})))',
      ['cat a', 'cat b'],
    ],
    ['map to a tool itself', 'const list = [{cmd:"a"},{cmd:"b"}]; list.map(tools.exec_command)', ['a', 'b']],
    ['for of', 'for (const f of ["a", "b"]) await tools.x({cmd: `cat ${f}`})', ['cat a', 'cat b']],
    ['for of entries', 'for (const [i, f] of ["a"].entries()) await tools.x({cmd: `${i} ${f}`})', ['0 a']],
    [
      'a counted loop',
      'for (let i = 1; i <= 3; i++) await tools.x({cmd: `step ${i}`})',
      ['step 1', 'step 2', 'step 3'],
    ],
    ['while', 'let i = 2; while (i > 0) { tools.x({cmd: "n" + i}); i -= 1 }', ['n2', 'n1']],
    [
      'break and continue',
      'for (const i of [1,2,3,4]) { if (i === 2) continue; if (i === 4) break; tools.x({cmd: "n" + i}) }',
      ['n1', 'n3'],
    ],
    [
      'keys of an object',
      'const o = {5: "x", 2: "y"}; for (const k of Object.keys(o).map(Number)) tools.x({cmd: k + o[k]})',
      ['2y', '5x'],
    ],
    [
      'a helper function',
      'const sh = (cmd) => tools.exec_command({ cmd, workdir: "/w" }); await sh("ls"); await sh("pwd")',
      ['ls', 'pwd'],
    ],
    [
      'a helper that is declared below',
      'await run("ls"); async function run(cmd) { return await tools.x({cmd}) }',
      ['ls'],
    ],
    [
      'a helper with a default',
      'const f = ({cmd = "make", dir = "."} = {}) => tools.x({cmd: `${cmd} -C ${dir}`}); f(); f({dir: "a"})',
      ['make -C .', 'make -C a'],
    ],
    ['spread options', 'const base = {workdir: "/w", cmd: "no"}; tools.x({...base, cmd: "yes"})', ['yes']],
    ['a spread list', 'const all = [tools.x({cmd:"a"}), ...["b","c"].map(c => tools.x({cmd: c}))]', ['a', 'b', 'c']],
    [
      'quoting by a helper',
      `const q = s => "'" + s.replaceAll("'", "''") + "'"; tools.x({cmd: "echo " + q("it's")})`,
      ["echo 'it''s'"],
    ],
    ['joined lines', 'tools.x({cmd: ["a", "b"].join(" && ")})', ['a && b']],
    ['a renamed tool', 'const { exec_command: sh } = tools; sh({cmd: "ls"})', ['ls']],
    ['tools under another name', 'const t = tools; t["exec_command"]({cmd: "ls"})', ['ls']],
    ['a chain of then', 'tools.x({cmd:"a"}).then(r => tools.x({cmd:"b"}))', ['a', 'b']],
    [
      'try and catch',
      'try { await tools.x({cmd:"a"}) } catch (e) { await tools.x({cmd:"b"}) } finally { tools.x({cmd:"c"}) }',
      ['a', 'b', 'c'],
    ],
    ['a known condition', 'const dry = false; if (dry) tools.x({cmd:"no"}); else tools.x({cmd:"yes"})', ['yes']],
    ['return at the top', 'tools.x({cmd:"a"}); return; tools.x({cmd:"b"})', ['a']],
    ['exit at the top', 'tools.x({cmd:"a"}); exit(); tools.x({cmd:"b"})', ['a']],
    ['Array.from of a length', 'Array.from({length: 2}, (_, i) => tools.x({cmd: "p" + i}))', ['p0', 'p1']],
    ['a pragma line', '// @exec: {"yield_time_ms": 10}\nawait tools.x({cmd:"a"})', ['a']],
    ['reduce in order', '["a","b"].reduce((p, c) => p + tools.x({cmd: c}), "")', ['a', 'b']],
  ])('are read with %s', (_name, code, expected) => {
    expect(commands(code)).toEqual(expected)
  })

  it.each<[string, string, unknown[]]>([
    [
      'what another call gave',
      'const r = await tools.a({}); tools.exec_command({cmd: `cat ${r.output.trim()}`})',
      ['cat ${r.output.trim()}'],
    ],
    [
      'an item of a list that is not known',
      'for (const file of list()) tools.x({cmd: "cat " + file})',
      ['cat ${file}'],
    ],
    ['a parameter of a callback', 'found.map(({path}) => tools.x({cmd: `cat ${path}`}))', ['cat ${path}']],
    ['a variable that a branch may set', 'let f = "a"; if (x()) f = "b"; tools.x({cmd: "cat " + f})', ['cat ${f}']],
    [
      'a counter of a loop without a known end',
      'let i = 0; while (more()) { tools.x({cmd: `n ${i}`}); i++ }',
      ['n ${i}'],
    ],
    ['what a pattern would replace', 'tools.x({cmd: "a b".replace(/a+/, "c")})', ['${"a b".replace(/a+/, "c")}']],
  ])('show the expression if they depend on %s', (_name, code, expected) => {
    expect(commands(code).slice(-1)).toEqual(expected)
  })

  it('may be of any tool, and a patch is given as text', () => {
    const code = `const patch = "*** Begin Patch\\n*** Delete File: a\\n*** End Patch";
      text(await tools.apply_patch(patch)); await tools.update_plan({plan: [{step: "a", status: "pending"}]});
      await tools.mcp__stock__find({query: "lamp"}); await tools.view_image({path: "/a.png"})`
    expect(calls(code)).toEqual([
      ['apply_patch', '*** Begin Patch\n*** Delete File: a\n*** End Patch'],
      ['update_plan', { plan: [{ step: 'a', status: 'pending' }] }],
      ['mcp__stock__find', { query: 'lamp' }],
      ['view_image', { path: '/a.png' }],
    ])
  })

  it('have the name that a script falls back to', () => {
    const code = 'const t = ALL_TOOLS.find(x => x.name === "f"); await tools[t?.name ?? "mcp__a__f"]({q: 1})'
    expect(calls(code)).toEqual([['mcp__a__f', { q: 1 }]])
  })

  it('are counted as unread if only running the script could give their name', () => {
    const { calls: none, unread } = readScript('await tools[pick()]({q: 1})')
    expect(none).toEqual([])
    expect(unread).toEqual([{ reason: 'name', code: 'tools[pick()]({q: 1})' }])
  })

  it('are not certain in a branch, after an exit, or in a loop without a known end', () => {
    const { calls: made } = readScript(`const r = await tools.a({});
      if (r.exit_code !== 0) { text(r.output); exit() }
      await tools.b({}); for (const x of y()) tools.c({})`)
    expect(made.map(({ tool, certain, repeated }) => [tool, certain, repeated])).toEqual([
      ['a', true, false],
      ['b', false, false],
      ['c', false, true],
    ])
  })

  it('are not taken from texts and comments that only mention them', () => {
    expect(calls('text("tools.exec_command({cmd: 1})"); // tools.a()')).toEqual([])
  })

  it('are read before and after a syntax error, which is reported', () => {
    const { calls: made, unread } = readScript(
      'await tools.exec_command({cmd: "ls"});\nconst = = ;\nawait tools.exec_command({cmd: "pwd"})',
    )
    expect(made.map(({ args }) => plainOf(args[0] ?? undefined).value)).toEqual([{ cmd: 'ls' }, { cmd: 'pwd' }])
    expect(unread.map(({ reason }) => reason)).toEqual(['syntax'])
  })
})

describe('a hostile script', () => {
  it.each<[string, string]>([
    ['an endless loop', 'for (;;) tools.x({cmd: "a"})'],
    ['a loop over very many', 'for (let i = 0; i < 1e12; i++) {}'],
    ['recursion', 'const f = () => f(); f(); tools.x({})'],
    ['two functions that call each other', 'function a() { b(); b() } function b() { a(); a() } a()'],
    ['a text that doubles', 'let s = "ab"; for (let i = 0; i < 90; i++) s += s; tools.x({cmd: s})'],
    ['a text repeated', 'tools.x({cmd: "ab".repeat(1e9)})'],
    ['padding', 'tools.x({cmd: "a".padEnd(1e9, "b")})'],
    ['a list of a great length', 'Array.from({length: 1e9}, (_, i) => tools.x({cmd: i}))'],
    ['a list in itself', 'const a = [1]; a.push(a); a.push(a); tools.x({cmd: a}); text(JSON.stringify(a))'],
    ['an object in itself', 'const o = {}; o.o = o; tools.x(o); text(o)'],
    [
      'lists that share lists',
      `let l = [1]; for (let i = 0; i < 60; i++) l = [l, l]; tools.x({cmd: l}); text(JSON.stringify(l))`,
    ],
    ['brackets without an end', '('.repeat(200_000)],
    ['deep brackets', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['deep templates', `${'`${'.repeat(5000)}1${'}`'.repeat(5000)}`],
    ['long sums', `tools.x({cmd: ${'"a"+'.repeat(20_000)}"b"})`],
    [
      'names of every object',
      'tools.__proto__({cmd: "a"}); tools.constructor({}); const o = {__proto__: 1, constructor: 2}; o.toString()',
    ],
    ['a getter', 'const o = { get cmd() { for (;;) {} } }; tools.x(o)'],
    ['code in a text', 'eval("tools.x({})"); new Function("return process.exit()")(); constructor.constructor("x")()'],
    [
      'what a program could do',
      'process.exit(3); require("fs").rmSync("/"); globalThis.process.kill(1); await import("node:fs")',
    ],
    ['characters of no grammar', '@'.repeat(1_000_000)],
    ['templates without an end', 'await tools.x({cmd: "a"})\n'.concat('`\n'.repeat(200_000))],
    ['texts without an end', '"@\n'.repeat(200_000)],
    ['comments without an end', '/*\n'.repeat(200_000)],
    ['generators', 'function* g() { for (;;) yield tools.x({}) } for (const x of g()) tools.y({})'],
  ])('with %s ends without an error', (_name, code) => {
    const { calls: made, unread } = readScript(code)
    expect(made.length).toBeLessThanOrEqual(limits.calls)
    expect(unread.length).toBeLessThanOrEqual(limits.calls + 2)
    for (const { args } of made) expect(JSON.stringify(plainOf(args[0]).value ?? null).length).toBeLessThan(8_000_000)
  })

  it('is not read if it is too long', () => {
    expect(readScript(`//${' '.repeat(limits.length)}`).unread.map(({ reason }) => reason)).toEqual(['too-long'])
  })

  it('gives the calls that were read before a limit was reached', () => {
    const { calls: made, unread } = readScript('await tools.x({cmd: "first"}); for (;;) {}')
    expect(made).toHaveLength(1)
    expect(unread.map(({ reason }) => reason)).toEqual(['too-much'])
  })

  it('never throws, whatever its text', () => {
    const words = fc.constantFrom(
      ...'await tools . exec_command ( { } ) cmd : " \' ` ${ => const let x = y ; , [ ] for of if else 1 + ?? ... return \n'.split(
        ' ',
      ),
    )
    const junk = fc.oneof(
      fc.string(),
      fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
    )
    fc.assert(
      fc.property(junk, (code) => {
        const { calls: made } = readScript(code)
        for (const { args } of made) plainOf(args[0])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('what a script may have changed', () => {
  it.each<[string, string, unknown[]]>([
    [
      'an item that a branch may have added',
      'const l = ["a"]; if (await tools.q()) l.push("b"); for (const c of l) tools.x({cmd: c}); tools.x({cmd: l[1]})',
      [true, false, undefined],
    ],
    [
      'a variable behind a loop that may have been left',
      'let v = "a"; for (const c of [1]) { if (await tools.q()) break; v = "b" } tools.x({cmd: v})',
      [undefined],
    ],
    [
      'a variable behind a round that may have ended',
      'let v = "a"; for (const c of [1]) { if (await tools.q()) continue; v = "b" } tools.x({cmd: v})',
      [undefined],
    ],
    [
      'a variable behind a function that may have returned',
      'let v = "a"; const f = () => { if (tools.q()) return; v = "b" }; f(); tools.x({cmd: v})',
      [undefined],
    ],
    [
      'a field set behind a call that may have failed',
      'const o = {c: "a"}; try { await tools.q(); o.c = "b" } catch {} tools.x({cmd: o.c})',
      [undefined],
    ],
    [
      'a counter of a loop whose rounds are not known',
      'const o = {n: 0}; while (await tools.q()) { tools.x({cmd: o.n}); o.n++ }',
      [undefined],
    ],
    [
      'a field whose name is not known',
      'const o = {c: "a"}; o[await tools.q()] = "b"; tools.x({cmd: o.c})',
      [undefined],
    ],
    ['fields that replace others', 'const o = {c: "a", ...await tools.q()}; tools.x({cmd: o.c})', [undefined]],
    [
      'a list that is emptied, but has members with names',
      'const l = [1]; l.size = 2; l.length = 0; tools.x({cmd: l})',
      [undefined],
    ],
  ])('is not known: %s', (_what, code, expected) => {
    const found = readScript(code).calls.filter(({ tool }) => tool === 'x')
    const known = found.map(({ args, certain: isCertain }) => (plainOf(args[0]).complete ? isCertain : undefined))
    expect(known).toEqual(expected)
  })

  it.each<[string, string, unknown[]]>([
    ['a `var` of an inner block', '{ var v = "a" } tools.x({cmd: v})', ['a']],
    ['a field that is deleted', 'const o = {a: "x"}; delete o.a; tools.x({cmd: o.a ?? "none"})', ['none']],
    ['a text that is padded with nothing', 'tools.x({cmd: "a".padStart(Infinity, "")})', ['a']],
    [
      'a list that is emptied',
      'const l = ["a"]; l.length = 0; l.push("b"); l.forEach((c) => tools.x({cmd: c}))',
      ['b'],
    ],
    [
      'an index that counts on',
      'const l = ["a", "b"]; let i = 0; l[i++] += "c"; tools.x({cmd: `${l}${i}`})',
      ['ac,b1'],
    ],
    [
      'an object that is changed behind its call',
      'const o = {cmd: "a"}; tools.x(o); o.cmd = "b"; tools.x(o)',
      ['a', 'b'],
    ],
    [
      'a list that grows in its loop',
      'const l = ["a"]; for (const c of l) { tools.x({cmd: c}); if (l.length < 2) l.push("b") }',
      ['a', 'b'],
    ],
    [
      'what follows a function that may have failed',
      'const f = (c) => { const r = tools.x({cmd: c}); if (!r.exit_code) return; throw 1 }; f("a"); f("b")',
      ['a', 'b'],
    ],
    [
      'one of two functions',
      'const a = () => tools.x({cmd: "a"}), b = () => tools.x({cmd: "b"}); (q ? a : b)()',
      ['a', 'b'],
    ],
  ])('is followed: %s', (_what, code, expected) => {
    expect(commands(code)).toEqual(expected)
  })
})
