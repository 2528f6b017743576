/** Object stores that are busy, far away, silent or gone. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { openBucket, type S3Options } from '../../../src/features/publish/s3-fs.ts'
import { openBuiltSite, siteFiles } from '../../../src/features/publish/site-fs.ts'
import { syncSite } from '../../../src/features/publish/sync.ts'
import { type ObjectStore, startObjectStore } from '../../helpers/s3-server.ts'
import { smallSite, writeSite } from '../../helpers/small-site.ts'
import { useTempDir } from '../../helpers/temp.ts'

const files = smallSite({ sessions: { alder: 'one', birch: 'two' } })

beforeEach(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-of-test')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'no-secret')
})

interface Attempt extends Partial<S3Options> {
  prefix?: string
  /** Called after the site was read. */
  onPlan?: (root: string) => void
}

async function publish({ endpoint }: ObjectStore, attempt: Attempt = {}): Promise<void> {
  const { prefix = '', onPlan, ...options } = attempt
  const { root } = openBuiltSite(writeSite(useTempDir(), files))
  const store = await openBucket(
    { bucket: 'sessions', prefix },
    { endpoint, region: 'us-east-1', pathStyle: true, ...options },
  )
  const signal = attempt.signal ?? new AbortController().signal
  const run = { dryRun: false, check() {}, signal, onPlan: () => onPlan?.(root), onStep() {} }
  try {
    await syncSite([...siteFiles(openBuiltSite(root), store.markKind)], store, {
      ...run,
      sourceOf: (path) => join(root, path),
    })
  } finally {
    await store.close()
  }
}

test('a busy store gets every file in the end', async () => {
  const store = await startObjectStore()
  store.trouble = (number) => (number % 2 === 0 ? { status: 503, code: 'SlowDown' } : undefined)
  await publish(store)
  expect(store.texts()).toEqual(files)
})

test('connections that break are tried again', async () => {
  const store = await startObjectStore()
  store.trouble = (number) => (number % 3 === 0 ? 'reset' : undefined)
  await publish(store)
  expect(store.texts()).toEqual(files)
})

test('a store that falls silent ends the publish with a reason', async () => {
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1')
  const store = await startObjectStore()
  store.trouble = (number) => (number > 4 ? 'silence' : undefined)
  await expect(publish(store, { silenceMs: 100 })).rejects.toThrow(/^Cannot write .*: no answer came in time/)
})

test('a publish to a silent store can be stopped', async () => {
  const store = await startObjectStore()
  const stop = new AbortController()
  store.trouble = (number) => {
    if (number <= 4) return undefined
    stop.abort(new Error('stopped by hand'))
    return 'silence'
  }
  await expect(publish(store, { signal: stop.signal })).rejects.toThrow('stopped by hand')
})

test('a bucket elsewhere is reported with its region', async () => {
  const store = await startObjectStore()
  const headers = { 'x-amz-bucket-region': 'eu-west-1' }
  store.trouble = () => ({ status: 301, code: 'PermanentRedirect', headers })
  await expect(publish(store)).rejects.toThrow('the bucket is in another region, `eu-west-1`')
})

test('a prefix may contain spaces, signs and letters of any script', async () => {
  const store = await startObjectStore()
  const prefix = 'my team/ü+x %41&é 漢/'
  await publish(store, { prefix })
  const expected = Object.entries(files).map(([path, content]) => [prefix + path, content])
  expect(store.texts()).toEqual(Object.fromEntries(expected))
  const before = store.requests.filter((request) => request.startsWith('PUT')).length
  await publish(store, { prefix })
  expect(store.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(before)
})

test('a file of the site that vanishes meanwhile is named', async () => {
  const store = await startObjectStore()
  const attempt = publish(store, { onPlan: (root) => rmSync(join(root, 'index.html')) })
  await expect(attempt).rejects.toThrow('`index.html` vanished while it was being published.')
  await expect(attempt).rejects.toThrow(UsageError)
})
