/** A process that has a file open, as Codex has a rollout, and does at once what it is asked to. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The process. Every call returns after the thing is done, so that it can be used where nothing may wait. */
export interface Writer {
  pid: number
  /** Opens a file for appending, or with the given `flags` of Node. */
  open(path: string, flags?: string): void
  /** Appends a line to the open file. */
  write(line: string): void
  close(): void
}

const script = `
const { openSync, closeSync, writeSync, readSync } = require('node:fs')
const [commands, answers] = process.argv.slice(1).map((path) => openSync(path, 'r+'))
const buffer = Buffer.alloc(65536)
let file
let rest = ''
for (;;) {
  rest += buffer.toString('utf8', 0, readSync(commands, buffer))
  for (let end = rest.indexOf('\\n'); end >= 0; end = rest.indexOf('\\n')) {
    const [what, text, flags] = JSON.parse(rest.slice(0, end))
    rest = rest.slice(end + 1)
    if (what === 'open') file = openSync(text, flags)
    if (what === 'write') writeSync(file, text + '\\n')
    if (what === 'close') closeSync(file)
    writeSync(answers, '.')
  }
}`

/** Starts one; it ends with the test. `folder` is for its pipes, and `uid` is the user it runs as. */
export function startWriter(folder: string, uid?: number): Writer {
  const pipes = ['commands', 'answers'].map((name) => join(folder, `${name}.fifo`))
  execFileSync('mkfifo', ['-m', '666', ...pipes])
  const [commands, answers] = pipes.map((path) => openSync(path, 'r+')) as [number, number] // as named
  const child: ChildProcess = spawn(process.execPath, ['-e', script, '--', ...pipes], {
    stdio: 'ignore',
    ...(uid !== undefined && { uid }),
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    closeSync(commands)
    closeSync(answers)
  })
  const call = (...command: string[]): void => {
    writeSync(commands, `${JSON.stringify(command)}\n`)
    readSync(answers, Buffer.alloc(1))
  }
  return {
    pid: child.pid ?? 0,
    open: (path, flags = 'a') => call('open', path, flags),
    write: (line) => call('write', line),
    close: () => call('close'),
  }
}
