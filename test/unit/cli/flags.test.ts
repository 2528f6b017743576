import { expect, test } from 'vitest'
import type { Invocation } from '../../../src/cli/command.ts'
import { main } from '../../../src/cli/main.ts'
import { type Command, optionGroups, options, settingNames } from '../../../src/config/schema.ts'
import * as program from '../../../src/program.ts'
import { fakeWorld } from '../../helpers/world.ts'

const load = async () => program
const commands: Command[] = [...new Set(settingNames.flatMap((name) => options[name].commands))]

function flagsInTable(command: Command): string[] {
  return settingNames.flatMap((name) => {
    const { flag, commands: takers } = options[name]
    return flag !== undefined && takers.includes(command) ? [flag] : []
  })
}

function flagsInHelp(help: string): string[] {
  return [...help.matchAll(/^ +(?:-\w, +)?--([\w-]+) {2}/gm)].map((match) => match[1] ?? '')
}

test.each(commands)('help of %s shows the options of the table and no others, each with its help', async (command) => {
  const world = fakeWorld([command, '--help'])
  expect(await main(world, load)).toBe(0)
  expect(world.err()).toBe('')
  const shown = flagsInHelp(world.out())
  expect(shown.filter((flag) => flag !== 'help' && flag !== 'version').sort()).toEqual(flagsInTable(command).sort())
  const text = world.out().replace(/\s+/g, ' ')
  for (const name of settingNames) {
    const { flag, help, ownHelp, commands: takers } = options[name]
    if (flag === undefined || !takers.includes(command)) continue
    expect(text, `--${flag}`).toContain((ownHelp?.[command]?.help ?? help).replaceAll('`', ''))
  }
})

test.each(program.commands.map(({ name }) => name))(
  'help of %s has its groups in order and one example',
  async (command) => {
    const world = fakeWorld([command, '--help'])
    await main(world, load)
    const headings = [...world.out().matchAll(/^(\w+:)$/gm)].map(([, heading = '']) => heading)
    const groups: string[] = Object.values(optionGroups)
    const shown = headings.filter((heading) => groups.includes(heading))
    expect(shown).toEqual(groups.filter((group) => shown.includes(group)))
    const [, examples = ''] = world.out().match(/^Examples:\n(.*?)\n\n/ms) ?? []
    expect(examples.trimEnd().split('\n')).toHaveLength(1)
  },
)

test('help of build names each of three kinds once, and breaks no list within a word', async () => {
  const world = fakeWorld(['build', '--help'])
  await main(world, load)
  for (const kind of ['toolArguments', 'reasoning,', 'searches']) expect(world.out().split(kind), kind).toHaveLength(2)
  expect(world.out()).not.toMatch(/\w,\w+,/)
})

test('`help` before a command prints the same as `--help` after it', async () => {
  const [before, behind] = [fakeWorld(['help', 'build']), fakeWorld(['build', '--help'])]
  expect([await main(before, load), await main(behind, load)]).toEqual([0, 0])
  expect(before.out()).toBe(behind.out())
  expect(before.err()).toBe('')
  const unknown = fakeWorld(['help', 'biuld'])
  expect(await main(unknown, load)).toBe(2)
  expect(unknown.err()).toContain('Unknown command `biuld`; did you mean `build`?')
})

test('help of the program names every command', async () => {
  const world = fakeWorld(['--help'])
  expect(await main(world, load)).toBe(0)
  for (const { name } of program.commands) expect(world.out()).toMatch(new RegExp(`^ +codex-export ${name} `, 'm'))
})

test('no arguments print the help on a terminal, and are wrong use elsewhere', async () => {
  const terminal = fakeWorld([], {}, { columns: 80 })
  expect(await main(terminal, load)).toBe(0)
  expect(terminal.out()).toContain('Commands:')
  expect(
    Math.max(
      ...terminal
        .out()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(80)
  const pipe = fakeWorld([])
  expect(await main(pipe, load)).toBe(2)
  expect(pipe.out()).toBe('')
  expect(pipe.err()).toBe('codex-export: A command is missing. See `codex-export --help`.\n')
})

test.each([['--version'], ['-V'], ['build', '--version']])('%s %s prints the version', async (...args) => {
  const world = fakeWorld(args)
  expect(await main(world, load)).toBe(0)
  expect(world.out()).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test.each([
  [['bild'], 'Unknown command `bild`; did you mean `build`?'],
  [['frobnicate'], 'Unknown command `frobnicate`'],
  [['foo'], 'Unknown command `foo`. See'],
  [['build', '--outt', 'x'], 'Unknown option `--outt`'],
  [['build', '-x'], 'Unknown option `-x`'],
  [['build', '--outt=1', '--zz'], 'Unknown options `--outt`, `--zz`'],
  [['build', 'extra'], 'Unknown argument `extra`'],
  [['list', '--dry-run'], 'Unknown option `--dry-run`'],
  [['build', '--', '--out', 'x'], 'Unknown arguments `--out`, `x`'],
  [['scrub', '--', '-x'], 'There is no file `-x`: `scrub` takes the path of a rollout, not a thread id.'],
  [['scrub'], 'An argument is missing: `scrub <file>`. See `codex-export scrub --help`.'],
  [['show'], '`show` needs the start of a thread id, the path of a rollout, or `--project NAME` to pick from'],
  [['build', '--out'], '`--out` needs a value: the path of a folder'],
  [['build', '--no-out'], '`--out` needs a value: the path of a folder'],
  [['build', '--out', 'a', '--out', 'b'], '`--out` was given 2 times; give it once'],
  [['serve', '--port', '99999'], '`--port` is `99999`; expected a whole number from 0 to 65535'],
  [['show', ''], '`show` needs the start of a thread id'],
  [['list', '--config', 'no\u001b.ts'], 'The configuration file `no\\x1b.ts` does not exist'],
] as [string[], string][])('wrong use is reported in one line: %j', async (args, message) => {
  const world = fakeWorld(args)
  expect(await main(world, load)).toBe(2)
  expect(world.out()).toBe('')
  expect(world.err().split('\n')).toHaveLength(2)
  expect(world.err()).toContain(`codex-export: ${message}`)
})

test.each([
  [
    ['search', '--', '--no-verify', '-h'],
    ['--no-verify', '-h'],
  ],
  [['search', '--regex', 'help'], ['help']],
  [
    ['search', 'see', 'help', '--', 'help', '--'],
    ['see', 'help', 'help', '--'],
  ],
  [['search', '--', ''], ['']],
])('gives a command the words as they were typed: %j', async (args, words) => {
  const taken: unknown[] = []
  const commands = program.commands.map((command) =>
    command.name === 'search'
      ? { ...command, run: async ({ flags }: Invocation) => taken.push(flags['query']) }
      : command,
  )
  const world = fakeWorld(args)
  await main(world, async () => ({ ...program, commands }))
  expect([world.out(), world.err(), taken]).toEqual(['', '', [words]])
})
