/** The size of a page over the wire, as loaded before the search is opened. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { buildConversation } from '../helpers/conversation-site.ts'
import { useTempDir } from '../helpers/temp.ts'
import { inventTurns } from './invented.ts'

describe('a session of 20 turns', () => {
  it('is one page of at most 60 kB gzip', async () => {
    const { page } = await buildConversation(useTempDir(), inventTurns(20, 5))
    const html = page('index.html')
    expect(html.match(/<section[^>]*class="turn/g)).toHaveLength(20)
    expect(gzipSync(html).length).toBeLessThanOrEqual(60_000)
    // It is not an empty shell.
    expect(html.length).toBeGreaterThan(60_000)
  })
})
