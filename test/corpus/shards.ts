/** A site made of shards has the bytes of a whole build. */
import { expect } from 'vitest'
import { features } from '../../src/program.ts'
import { buildShard, mergeShards } from '../../src/site/shards-fs.ts'
import { readFolder } from '../helpers/folder.ts'
import type { GenuineSite } from '../helpers/genuine-site.ts'

/** Enough parts that each shard of a small home has several sessions, and that most related sessions are separated. */
export const total = 3

/** The site that is merged from shards is the whole site, byte by byte. */
export async function expectSameFromShards({ root, host, optionsFor }: GenuineSite): Promise<void> {
  const options = optionsFor('merged')
  let sessions = 0
  for (let index = 1; index <= total; index++)
    sessions += (await buildShard({ index, total }, options, host, features)).sessions
  expect(await mergeShards(options, host, features)).toMatchObject({ sessions, rendered: 0 })
  expect(readFolder(options.out)).toEqual(readFolder(root))
}
