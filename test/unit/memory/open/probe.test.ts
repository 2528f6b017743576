import { closeSync, linkSync, mkdirSync, openSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { OpenState, ProbedFile, ProbeSystem } from '../../../../src/features/memory/open/open-state.ts'
import { openProbe } from '../../../../src/features/memory/open/probe-fs.ts'
import { useTempDir } from '../../../helpers/temp.ts'

/** What is known about a process. */
interface Sketch {
  program: string
  /** The paths that it has open, with the flags of `open` in octal. */
  files?: Record<string, string>
  uid?: number
  /** Whether its open files cannot be read. */
  isHidden?: boolean
  isKernelThread?: boolean
}

/** A rollout, and a Linux with these processes. */
function linux(sketches: readonly Sketch[], change: Partial<ProbeSystem> & { namespace?: string } = {}) {
  const folder = useTempDir()
  const path = join(folder, 'rollout.jsonl')
  writeFileSync(path, 'words\n')
  const proc = join(folder, 'proc')
  mkdirSync(join(proc, 'self/ns'), { recursive: true })
  symlinkSync(change.namespace ?? 'pid:[4026531836]', join(proc, 'self/ns/pid'))
  for (const [index, { program, files = {}, uid = 1000, isHidden, isKernelThread }] of sketches.entries()) {
    const place = join(proc, String(index + 1))
    mkdirSync(join(place, 'fdinfo'), { recursive: true })
    writeFileSync(join(place, 'comm'), `${program}\n`)
    writeFileSync(join(place, 'status'), `Name:\t${program}\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`)
    writeFileSync(join(place, 'cmdline'), isKernelThread ? '' : `${program}\0`)
    // A folder that cannot be read. Root could read any folder, but a file is no folder for anybody.
    if (isHidden) writeFileSync(join(place, 'fd'), '')
    else mkdirSync(join(place, 'fd'))
    for (const [number, [file, flags]] of Object.entries(files).entries()) {
      symlinkSync(file.replace('ROLLOUT', path), join(place, 'fd', String(number)))
      if (flags !== '') writeFileSync(join(place, 'fdinfo', String(number)), `pos:\t0\nflags:\t${flags}\n`)
    }
  }
  const system = { ...nothing, platform: 'linux' as const, proc, ...change }
  return { path, state: () => openProbe(system)(fileAt(path)) }
}

const nothing: ProbeSystem = {
  platform: 'linux',
  proc: '/nowhere',
  run: () => undefined,
  openAlone: () => {},
  fileSystemType: () => 0xef53,
}

function fileAt(path: string, change: Partial<ProbedFile> = {}): ProbedFile {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, dev, ino, uid: 1000, mode: 0o100644, ...change }
}

/** A kernel that grants or refuses the lease. */
const lease = (status: number) => ({
  run: (program: string) => (program === 'perl' ? { status, stdout: '' } : undefined),
})

test.each([
  ['appending', '02102001', 'open'],
  ['reading and writing', '02100002', 'open'],
  ['reading', '02100000', 'closed'],
  ['an unknown purpose', '', 'open'],
])('a process that has the file open counts unless it only reads: %s', (_, flags, kind) => {
  const { state } = linux([{ program: 'codex', files: { ROLLOUT: flags } }])
  expect(state()).toMatchObject({ kind, ...(kind === 'open' && { by: [{ pid: 1, program: 'codex' }] }) })
})

test('files are compared by inode, not by name, and sockets and devices are ignored', () => {
  const { path, state } = linux([
    { program: 'one', files: { 'socket:[123]': '02', '/dev/null': '02', '/gone (deleted)': '02' } },
  ])
  expect(state()).toEqual({ kind: 'closed' })
  const linked = join(dirname(path), 'hard.jsonl')
  linkSync(path, linked)
  const held = linux([{ program: 'two', files: { [linked]: '01' } }])
  const probe = openProbe({ ...nothing, proc: join(dirname(held.path), 'proc') })
  expect(probe(fileAt(path))).toMatchObject({ kind: 'open', by: [{ program: 'two' }] })
})

test('kernel threads have nothing open', () => {
  expect(linux([{ program: 'kworker', uid: 0, isHidden: true, isKernelThread: true }]).state()).toEqual({
    kind: 'closed',
  })
})

const hidden: Sketch[] = [
  { program: 'sshd', uid: 0, isHidden: true },
  { program: 'codex', uid: 1000, isHidden: true },
]

test('the kernel says whether there is a writer if processes cannot be inspected', () => {
  expect(linux(hidden, lease(10)).state()).toEqual({ kind: 'closed' })
  expect(linux(hidden, lease(11)).state()).toEqual({
    kind: 'open',
    by: [],
    guess: [{ pid: 2, program: 'codex', uid: 1000 }],
  })
})

test.each<[string, readonly Sketch[], Parameters<typeof linux>[1], string]>([
  ['a hidden process of its owner', [{ program: 'codex', isHidden: true }], {}, '`codex` (process 1)'],
  ['a hidden process of root', [{ program: 'sshd', uid: 0, isHidden: true }], {}, '`sshd` (process 1)'],
  ['a container', [], { namespace: 'pid:[4026532000]' }, 'container'],
  [
    'a network disk, whatever the kernel of this machine says',
    [],
    { ...lease(10), fileSystemType: () => 0x6969 },
    '`nfs`',
  ],
  ['a Windows disk in WSL', [], { ...lease(10), fileSystemType: () => 0x01021997 }, '`9p`'],
  ['a share of a Windows machine', [], { ...lease(10), fileSystemType: () => 0xff534d42 }, '`cifs`'],
])('the state is unknown with %s', (_, sketches, change, reason) => {
  const extra: Sketch = { program: 'bash', files: {} }
  expect(linux([...sketches, extra], change).state()).toEqual({
    kind: 'unknown',
    reason: expect.stringContaining(reason),
  })
})

test('a hidden process of a user who may not write the file does not count', () => {
  const sketches: Sketch[] = [{ program: 'dbus', uid: 101, isHidden: true }]
  const { path, state } = linux(sketches)
  expect(state()).toEqual({ kind: 'closed' })
  const probe = openProbe({ ...nothing, proc: join(dirname(path), 'proc') })
  expect(probe(fileAt(path, { mode: 0o100666 }))).toMatchObject({ kind: 'unknown' })
})

test('the state is unknown on Linux without processes and without a program to ask', () => {
  const { path } = linux([])
  expect(openProbe(nothing)(fileAt(path))).toMatchObject({ kind: 'unknown' })
})

/** A macOS on which programs print this. */
function mac(printed: Record<string, { status: number; stdout: string }>, file: Partial<ProbedFile> = {}): OpenState {
  const system: ProbeSystem = { ...nothing, platform: 'darwin', run: (program) => printed[program] }
  const probed: ProbedFile = { path: '/Users/ada/.codex/r.jsonl', dev: 1n, ino: 2n, uid: 501, mode: 0o100644 }
  return openProbe(system)({ ...probed, ...file })
}

const local = {
  status: 0,
  stdout: '/dev/disk3s1 on / (apfs, sealed, local)\nserver:/v on /Volumes/v (nfs, nodev)\n',
}
const nobody = { status: 1, stdout: '' }

test('`lsof` names the writers on macOS', () => {
  const stdout = 'p120\nccodex\nf12\nau\np130\nctail\nf3\nar\np140\nclibrary\nftxt\na \n'
  expect(mac({ lsof: { status: 0, stdout }, mount: local })).toEqual({
    kind: 'open',
    by: [{ pid: 120, program: 'codex' }],
  })
  expect(mac({ lsof: nobody, mount: local })).toEqual({ kind: 'closed' })
})

test('the state is unknown on macOS without `lsof`, on a network disk, and if others may write', () => {
  expect(mac({ mount: local })).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('`lsof`') })
  expect(mac({ lsof: nobody, mount: local }, { path: '/Volumes/v/r.jsonl' })).toMatchObject({ kind: 'unknown' })
  expect(mac({ lsof: nobody })).toMatchObject({ kind: 'unknown' })
  expect(mac({ lsof: nobody, mount: local }, { mode: 0o100666 })).toMatchObject({ kind: 'unknown' })
})

test.each([
  ['EBUSY', 'open'],
  ['EPERM', 'unknown'],
  [undefined, 'closed'],
])('%s of an exclusive open on Windows means %s', (code, kind) => {
  const openAlone = (): void => {
    if (code !== undefined) throw Object.assign(new Error(code), { code })
  }
  const probed: ProbedFile = { path: 'C:\\r.jsonl', dev: 1n, ino: 2n, uid: 0, mode: 0o100666 }
  expect(openProbe({ ...nothing, platform: 'win32', openAlone })(probed).kind).toBe(kind)
})

test('this system distinguishes a file that somebody has open from one that nobody has, or says that it cannot', () => {
  const path = join(useTempDir(), 'words.jsonl')
  writeFileSync(path, 'words\n')
  const probe = (): OpenState => {
    const { dev, ino, uid, mode } = statSync(path, { bigint: true })
    return openProbe()({ path, dev, ino, uid: Number(uid), mode: Number(mode) })
  }
  const before = probe()
  const descriptor = openSync(path, 'a')
  const during = probe()
  closeSync(descriptor)
  expect([
    ['closed', 'open'],
    ['unknown', 'open'],
    ['unknown', 'unknown'],
  ]).toContainEqual([before.kind, during.kind])
  expect(probe()).toEqual(before)
})
