import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory } from '../../../src/features/memory/edit/working.ts'
import { openMaskStore } from '../../../src/features/memory/files/mask-store-fs.ts'
import { findMemoryTarget } from '../../../src/features/memory/files/target-fs.ts'
import { maskDir } from '../../../src/site/cache/cache-folder-fs.ts'
import { pruneHome } from '../../helpers/prune.ts'
import { useTempDir } from '../../helpers/temp.ts'

test.skipIf(process.platform !== 'linux')(
  'reading the full rollout leaves no file open if it is interrupted',
  async () => {
    const session = pruneHome(useTempDir())
    await session.prune({ exclude: ['3'], inPlace: true })
    const target = await findMemoryTarget(
      { homes: [{ path: session.home }], target: session.id, targetPath: join(session.home, session.id) },
      session.host,
      () => session.home,
    )
    const records = openMaskStore(maskDir(session.host), session.id, target.live.rolloutId).records()
    const signal = AbortSignal.abort(new Error('interrupted'))
    const read = { spoolDir: () => session.home, signal }
    for (const known of [records, []])
      await expect(openMemory({ target, records: known, read })).rejects.toThrow('interrupted')
    const open = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(join('/proc/self/fd', fd))
      } catch {
        return ''
      }
    })
    expect(open.filter((path) => path.startsWith(session.home))).toEqual([])
  },
)
