/**
 * Searches bytes for one that is between certain others, 64 at a time, in WebAssembly. Most occurrences of a
 * rare letter are in encrypted contents; with a call of `Buffer.indexOf` for each, they took most of a search's time.
 */

/** A byte to search for, and the bytes that may be next to it. */
export interface ByteSign {
  /** A letter is given in lower case. */
  code: number
  /** The bit in which the cases of a letter differ; 0 for other bytes. */
  caseBit: 0x20 | 0
  /** For each byte, `follows` if it may follow, and `precedes` if it may come before. */
  neighbours: Uint8Array
}

/** Returns a table of the bytes that may come before and after a sign. */
export function neighboursOf(mayPrecede: (byte: number) => boolean, mayFollow: (byte: number) => boolean): Uint8Array {
  return Uint8Array.from(
    { length: tableSize },
    (_, byte) => (mayFollow(byte) ? follows : 0) | (mayPrecede(byte) ? precedes : 0),
  )
}

const [follows, precedes] = [1, 2] as const
const tableSize = 256
/** Bytes that are compared at once; the last ones may be behind the end. */
const stepSize = 64
const pageSize = 1 << 16
const pages = 5

/** 16 bytes at an offset from `start`, as bits that are set where the byte is the sign. */
const compare = (offset: number): string =>
  `local.get start v128.load ${offset}  local.get caseBit i8x16.splat v128.or  local.get code i8x16.splat i8x16.eq`

/** The body of a `Find` in the text format of WebAssembly. */
const program = `
  loop
    local.get start  local.get end  i32.ge_u
    if  local.get end  return  end

    ${compare(0)}  ${compare(16)} v128.or  ${compare(32)} v128.or  ${compare(48)} v128.or
    v128.any_true  i32.eqz
    if  local.get start  i32.const ${stepSize}  i32.add  local.set start  br 1  end

    ${compare(0)}  i8x16.bitmask  local.set mask
    loop
      local.get mask
      if
        local.get start  local.get mask  i32.ctz  i32.add  local.set found
        local.get found  i32.load8_u 1  i32.load8_u 0  i32.const ${follows}  i32.and
        if
          local.get found  i32.const 1  i32.sub  i32.load8_u 0  i32.load8_u 0  i32.const ${precedes}  i32.and
          if  local.get found  return  end
        end
        local.get mask  local.get mask  i32.const 1  i32.sub  i32.and  local.set mask
        br 1
      end
    end
    local.get start  i32.const 16  i32.add  local.set start
    br 0
  end
  unreachable`

const parameters = ['start', 'end', 'code', 'caseBit']
const locals = ['mask', 'found']

/** The bytes of each instruction, with the type of a block and the alignment of an access. */
const opcodes: Readonly<Record<string, readonly number[]>> = {
  unreachable: [0x00],
  loop: [0x03, 0x40],
  if: [0x04, 0x40],
  end: [0x0b],
  br: [0x0c],
  return: [0x0f],
  'local.get': [0x20],
  'local.set': [0x21],
  'i32.load8_u': [0x2d, 0],
  'i32.const': [0x41],
  'i32.eqz': [0x45],
  'i32.ge_u': [0x4f],
  'i32.ctz': [0x68],
  'i32.add': [0x6a],
  'i32.sub': [0x6b],
  'i32.and': [0x71],
  'v128.load': [0xfd, 0x00, 0],
  'i8x16.splat': [0xfd, 0x0f],
  'i8x16.eq': [0xfd, 0x23],
  'v128.or': [0xfd, 0x50],
  'v128.any_true': [0xfd, 0x53],
  'i8x16.bitmask': [0xfd, 0x64],
}

/** A number below 128, signed or not. */
const small = (value: number): number[] => (value < 64 ? [value] : [value | 0x80, 0])

/** A number below 2^14 that has no sign. */
const unsigned = (value: number): number[] => (value < 128 ? [value] : [(value & 0x7f) | 0x80, value >> 7])

/** The bytes of a word of the program. The name of a local follows its instruction and may be that of another one. */
function encode(word: string, index: number, words: readonly string[]): readonly number[] {
  if (words[index - 1]?.startsWith('local.') === true) return [[...parameters, ...locals].indexOf(word)]
  return opcodes[word] ?? small(Number(word))
}

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content]

function moduleBytes(): Uint8Array {
  const int32 = 0x7f
  const body = [1, locals.length, int32, ...program.trim().split(/\s+/).flatMap(encode), 0x0b]
  return Uint8Array.of(
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters.length, ...parameters.map(() => int32), 1, int32]),
    ...section(2, [1, 0, 0, 2, 0, pages]),
    ...section(3, [1, 0]),
    ...section(7, [1, 4, ...Buffer.from('find'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  )
}

/** Returns the first offset of the sign from `start` on, or an offset that is not below `end`. */
type Find = (start: number, end: number, code: number, caseBit: number) => number

/** A memory that starts with the neighbours of a sign, and what searches in it. */
interface Finder {
  memory: ArrayBuffer
  find: Find
}

/** The types of Node lack it. */
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => { buffer: ArrayBuffer }
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: { find: Find } }
}

function compiled(): Finder {
  const memory = new WebAssembly.Memory({ initial: pages })
  const { find } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), { '': { '': memory } }).exports
  return { memory: memory.buffer, find }
}

/** The same as a loop. */
function plainFinder(): Finder {
  const memory = new ArrayBuffer(pages * pageSize)
  const bytes = new Uint8Array(memory)
  const find: Find = (start, end, code, caseBit) => {
    const isNextTo = (at: number, side: number): boolean => ((bytes[bytes[at] ?? 0] ?? 0) & side) !== 0
    for (let at = start; at < end; at++)
      if (((bytes[at] ?? 0) | caseBit) === code && isNextTo(at + 1, follows) && isNextTo(at - 1, precedes)) return at
    return end
  }
  return { memory, find }
}

/** A loop where WebAssembly cannot start: by an option of Node, without vectors, or with too little address space. */
function finder(): Finder {
  try {
    return compiled()
  } catch {
    return plainFinder()
  }
}

const { memory, find } = finder()

/** The neighbours of the sign that was searched last. */
const table = new Uint8Array(memory, 0, tableSize)
let loaded: Uint8Array | undefined

/** The bytes that are searched. */
export const scanned: Buffer = Buffer.from(memory, tableSize, pages * pageSize - tableSize - stepSize)

/**
 * Returns the first offset of a sign in `scanned`, from `start` on and before `end`; -1 if there is none. What comes before the
 * first byte counts as a control character.
 */
export function findSign({ code, caseBit, neighbours }: ByteSign, start: number, end: number): number {
  if (neighbours !== loaded) table.set(neighbours)
  loaded = neighbours
  const found = find(tableSize + start, tableSize + end, code, caseBit) - tableSize
  return found < end ? found : -1
}
