/** Invented scripts of code mode as models write them, and what they do when they are run. */
import { runInNewContext } from 'node:vm'

/** Repeatable chance: the next number below `max`. */
export type Chance = (max: number) => number

/** Numbers that depend only on the seed. */
export function chanceOf(seed: number): Chance {
  let state = Math.imul(seed + 1, 2_654_435_761) >>> 0 || 1
  return (max) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % max
  }
}

interface Writer {
  next: Chance
  count: number
  /** Names of results and of lists of results that are in scope. */
  results: string[]
  lists: string[]
  /** Functions of the script, and whether they return a result. */
  functions: { name: string; returnsResult: boolean }[]
}

function one<T>(list: readonly [T, ...T[]], { next }: Writer): T {
  return list[next(list.length)] ?? list[0]
}

function named(kind: string, writer: Writer): string {
  writer.count++
  return `${kind}${writer.count}`
}

/** A command that occurs nowhere else in the script. */
function command(writer: Writer): string {
  const name = named('c', writer)
  return one([`'${name} run'`, `\`${name} "y"\``, `'c' + '${name.slice(1)} z'`, `['${name}', 'w'].join(' ')`], writer)
}

function callOf(text: string, writer: Writer): string {
  return one([`tools.exec_command({cmd: ${text}})`, `tools.exec_command({ cmd: ${text}, workdir: '/w' })`], writer)
}

function print(r: string, writer: Writer): string {
  const value = one(
    [
      ...([r, `${r}.output`, `JSON.stringify(${r})`, `${r}.output.trim()`, `${r}.output.slice(0, 40)`] as const),
      ...[`\`${named('label', writer)}: \${${r}.output}\``, `\`exit \${${r}.exit_code}\\n\${${r}.output}\``],
      ...[`JSON.stringify({ out: ${r}.output, code: ${r}.exit_code })`, `'code ' + ${r}.exit_code`],
      ...[`${r}.exit_code === 0 ? 'fine' : ${r}.output`, `${r}.output || '(none)'`, `${r}?.output ?? 'nothing'`],
      ...[`[${r}.exit_code, ${r}.output].join(' ')`, `${r}.output.split('\\n')[0]`, `${r}.output + '\\n'`],
    ],
    writer,
  )
  return `text(${value});\n`
}

function test(r: string, writer: Writer): string {
  return one(
    [
      ...([`${r}.exit_code === 0`, `${r}.exit_code !== 0`, `!${r}.exit_code`] as const),
      ...[`${r}.output.includes('a')`, `${r}.output.length > 30`],
    ],
    writer,
  )
}

function printList(l: string, writer: Writer): string {
  return one(
    [
      ...([`for (const x of ${l}) text(x.output);\n`, `text(JSON.stringify(${l}));\n`] as const),
      ...[`${l}.forEach((x, i) => text(\`#\${i}\\n\${x.output}\`));\n`, `text(${l}.at(-1).output);\n`],
      ...[`text(${l}.map(x => x.output).join('\\n---\\n'));\n`, `for (const i in ${l}) text(${l}[i].output);\n`],
      ...[`for (const x of ${l}) { if (x.exit_code) break; text(x); }\n`, `text(${l}[0].output);\n`],
      ...[`for (const x of ${l}) { if (x.exit_code !== 0) continue; text(x.output); }\n`],
      ...[`text(${l}.find(x => x.exit_code !== 0)?.output ?? 'all fine');\n`],
      ...[`for (const x of [...${l}].reverse()) text(x.output);\n`],
      ...[`text(${l}.sort((a, b) => a.exit_code - b.exit_code)[0].output);\n`],
    ],
    writer,
  )
}

/** Where a statement is. */
interface Surroundings {
  depth: number
  loop: boolean
  inFunction: boolean
}

function block(writer: Writer, surroundings: Surroundings, max = 3): string {
  const { results, lists, functions } = writer
  const inner: Writer = Object.assign(writer, { results: [...results], lists: [...lists], functions: [...functions] })
  let code = ''
  for (let left = 1 + inner.next(max); left > 0; left--)
    code += statement(inner, { ...surroundings, depth: surroundings.depth + 1 })
  Object.assign(writer, { results, lists, functions })
  return code
}

function newResult(writer: Writer, made: string): string {
  const name = named('r', writer)
  writer.results.push(name)
  return `const ${name} = ${made};\n`
}

function newList(writer: Writer): string {
  const commands = (): string => `[${Array.from({ length: 1 + writer.next(3) }, () => command(writer)).join(', ')}]`
  const item = '{ output: "rejected " + s.reason.message, exit_code: -1 }'
  const made = one(
    [
      `await Promise.all(${commands()}.map(c => tools.exec_command({cmd: c})))`,
      `await Promise.all([${callOf(command(writer), writer)}, ${callOf(command(writer), writer)}])`,
      `await Promise.all(${commands()}.map(async (c) => { const x = await tools.exec_command({cmd: c}); return x; }))`,
      `(await Promise.allSettled([${callOf(command(writer), writer)}])).map(s => s.status === 'fulfilled' ? s.value : ${item})`,
    ],
    writer,
  )
  const name = named('rs', writer)
  writer.lists.push(name)
  return `const ${name} = ${made};\n`
}

function loop(writer: Writer, surroundings: Surroundings): string {
  const [c, x] = [named('k', writer), named('x', writer)]
  const before = writer.results
  writer.results = [...before, x]
  const body = block(writer, { ...surroundings, loop: true })
  writer.results = before
  if (writer.next(2) === 0) {
    const items = Array.from({ length: 1 + writer.next(3) }, () => command(writer)).join(', ')
    return `for (const ${c} of [${items}]) {\nconst ${x} = await tools.exec_command({cmd: ${c}});\n${body}}\n`
  }
  const inner = `const ${x} = await tools.exec_command({cmd: \`${named('c', writer)} \${${c}}\`});\n${body}`
  return one(
    [
      `for (let ${c} = 0; ${c} < 3; ${c}++) {\n${inner}}\n`,
      `let ${c} = 0;\nwhile (${c} < 2) {\n${c}++;\n${inner}}\n`,
      `let ${c} = 0;\ndo {\n${c}++;\n${inner}} while (${c} < 2);\n`,
    ],
    writer,
  )
}

function attempt(writer: Writer, surroundings: Surroundings): string {
  const e = named('e', writer)
  const handler = one(
    [
      ...([`text(\`failed: \${${e}.message}\`);`, `text(String(${e}));`, ''] as const),
      ...[`await ${callOf(command(writer), writer)};`, 'return;'],
    ],
    writer,
  )
  return `try {\n${block(writer, { ...surroundings, loop: false })}} catch (${e}) { ${handler} }\n`
}

function newFunction(writer: Writer): string {
  const [f, x, given] = [named('f', writer), named('x', writer), named('given', writer)]
  const { results, lists, functions } = writer
  Object.assign(writer, { results: [x], lists: [], functions: [] })
  const body = block(writer, { depth: 3, loop: false, inFunction: true }, 2)
  const returnsResult = writer.next(2) === 0
  Object.assign(writer, { results, lists, functions: [...functions, { name: f, returnsResult }] })
  const call = `const ${x} = await tools.exec_command({cmd: ${given}});\n`
  return `async function ${f}(${given}) {\n${call}${body}${returnsResult ? `return ${x};\n` : ''}}\n`
}

function exitStatement(r: string, writer: Writer, { loop: inLoop, inFunction }: Surroundings): string {
  const exits: [string, ...string[]] = ['return;', `{ ${print(r, writer).trim()} return; }`]
  if (inLoop) exits.push('break;', 'continue;')
  if (!inFunction) exits.push('exit();', `{ ${print(r, writer).trim()} exit(); }`)
  return `if (${test(r, writer)}) ${one(exits, writer)}\n`
}

function branch(r: string, writer: Writer, surroundings: Surroundings): string {
  const other = writer.next(2) === 0 ? ` else {\n${block(writer, surroundings)}}` : ''
  return `if (${test(r, writer)}) {\n${block(writer, surroundings)}}${other}\n`
}

function useFunction(writer: Writer): string {
  const used = writer.functions[writer.next(writer.functions.length || 1)]
  if (used === undefined) return ''
  const call = `await ${used.name}(${command(writer)})`
  return used.returnsResult ? newResult(writer, `${call} ?? { output: 'no', exit_code: 9 }`) : `${call};\n`
}

function changed(r: string, writer: Writer): string {
  const v = named('v', writer)
  const other = `const y = await ${callOf(command(writer), writer)}; ${v} = y.output;`
  return `let ${v} = ${r}.output;\nif (${test(r, writer)}) { ${other} }\ntext(${v});\n`
}

/** A statement about a result; empty if none fits there. */
type Statement = (r: string, writer: Writer, surroundings: Surroundings) => string

function guarded(writer: Writer): string {
  const instead = "({ output: 'caught ' + e.message, exit_code: -2 })"
  return newResult(writer, `await ${callOf(command(writer), writer)}.catch(e => ${instead})`)
}

function ofList(r: string, writer: Writer): string {
  const l = writer.lists[writer.next(writer.lists.length || 1)]
  return l === undefined ? print(r, writer) : printList(l, writer)
}

/** Statements, each with the greatest depth at which it may be nested. */
const statements: readonly [Statement, number][] = [
  ...Array.from({ length: 3 }, (): [Statement, number] => [(_r, writer) => newCall(writer), 9]),
  ...Array.from({ length: 6 }, (): [Statement, number] => [print, 9]),
  [(_r, writer) => newList(writer), 9],
  [ofList, 9],
  [ofList, 9],
  [(_r, writer, surroundings) => loop(writer, surroundings), 3],
  [(_r, writer, surroundings) => attempt(writer, surroundings), 3],
  [branch, 3],
  [(_r, writer) => newFunction(writer), 2],
  [(_r, writer) => useFunction(writer), 9],
  [exitStatement, 9],
  [changed, 9],
  [(_r, writer) => guarded(writer), 9],
]

function newCall(writer: Writer): string {
  return newResult(writer, `await ${callOf(command(writer), writer)}`)
}

function statement(writer: Writer, surroundings: Surroundings): string {
  const { results, next } = writer
  const r = results[next(results.length || 1)]
  if (r === undefined) return newCall(writer)
  const [write, deepest] = statements[next(statements.length)] ?? [print, 9]
  return surroundings.depth < deepest ? write(r, writer, surroundings) : print(r, writer)
}

/** A random script: commands, prints of their results, branches, loops, functions, handlers. */
export function madeUpScript(next: Chance): string {
  const writer: Writer = { next, count: 0, results: [], lists: [], functions: [] }
  return block(writer, { depth: -1, loop: false, inFunction: false }, 6)
}

/** A call that ran. */
export interface Ran {
  cmd: string
  /** Absent if the tool failed. */
  result?: { output: string; exit_code: number }
  error?: string
}

/** What a script did. */
export interface Run {
  ran: Ran[]
  parts: string[]
  completed: boolean
}

/** Runs a script with tools that return random results. One of `fails` calls fails on average; none if it is 0. */
export async function runScript(code: string, next: Chance, fails: number): Promise<Run> {
  const ran: Ran[] = []
  const parts: string[] = []
  const exec = async ({ cmd }: { cmd: string }): Promise<object> => {
    const own: Ran = { cmd }
    ran.push(own)
    if (fails > 0 && next(fails) === 0) {
      own.error = `trouble ${ran.length}`
      throw new Error(own.error)
    }
    const words = Array.from({ length: next(6) }, () => ['cab', 'dfe', 'hig', 'bed'][next(4)])
    const output = words.length === 0 ? '' : [`o${ran.length}q${next(1e6)}`, ...words].join(next(2) === 0 ? ' ' : '\n')
    own.result = { output, exit_code: next(5) < 3 ? 0 : next(3) }
    return { chunk_id: 'ab12cd', wall_time_seconds: 0.1, ...own.result }
  }
  const ended = new Error('exit')
  const outside = {
    tools: { exec_command: exec },
    text: (value: unknown) => parts.push(typeof value === 'string' ? value : JSON.stringify(value)),
    exit: () => {
      throw ended
    },
  }
  let completed = true
  try {
    await runInNewContext(`(async () => {\n${code}\n})()`, outside)
  } catch (error) {
    completed = error === ended
  }
  return { ran, parts, completed }
}
