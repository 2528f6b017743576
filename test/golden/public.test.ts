/** The public preset for a session with every kind of content: tree, Markdown and page. */
import { fileURLToPath } from 'node:url'
import { beforeAll, describe } from 'vitest'
import { presets } from '../../src/config/publication.ts'
import { curateFacts, planOf } from '../../src/redact/curate/plan.ts'
import { assetSink } from '../../src/redact/picture.ts'
import { slicesOf } from '../../src/site/slices.ts'
import { scanThread } from '../../src/survey/scan.ts'
import type { Session } from '../../src/transcript/trast.ts'
import { writeEveryKind } from '../helpers/every-kind.ts'
import { itIsAsExpected } from '../helpers/golden-transcript.ts'
import { shareTempDir } from '../helpers/temp.ts'
import { threadsAt } from '../helpers/thread.ts'

const expected = (file: string) => fileURLToPath(new URL(`public/expected/${file}`, import.meta.url))
const folder = shareTempDir()

describe('the public preset', () => {
  let session: Session

  beforeAll(async () => {
    const [thread] = await threadsAt(writeEveryKind(folder))
    if (thread === undefined) throw new Error('no thread')
    const options = { spoolDir: () => folder }
    const { facts } = await scanThread(thread, options)
    if (facts === undefined) throw new Error('no facts')
    const plan = planOf({ visibility: presets.public }, undefined)
    const children: Session['children'] = []
    const read = slicesOf(thread, curateFacts(facts, plan), { ...options, plan, assets: assetSink(() => {}) })
    for await (const { tree } of read.slices) children.push(...tree.children)
    session = { ...read.session, children }
  })

  itIsAsExpected(() => session, expected)
})
