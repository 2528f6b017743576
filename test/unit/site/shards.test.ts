import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/diagnostics/errors.ts'
import { shardOf } from '../../../src/site/shards-fs.ts'

describe('the number of a shard', () => {
  it.each([
    ['2/7', { JOB_COMPLETION_INDEX: '5', JOB_COMPLETIONS: '9' }, 2, 7],
    ['auto', { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '3' }, 1, 3],
    ['auto', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '3' }, 3, 3],
    ['auto', { SLURM_ARRAY_TASK_ID: '0', SLURM_ARRAY_TASK_MIN: '0', SLURM_ARRAY_TASK_COUNT: '4' }, 1, 4],
    ['auto', { SLURM_ARRAY_TASK_ID: '4', SLURM_ARRAY_TASK_MIN: '1', SLURM_ARRAY_TASK_COUNT: '4' }, 4, 4],
  ])('is read from %s in %j as %d of %d', (text, env, index, total) => {
    expect(shardOf(text, env)).toEqual({ index, total })
  })

  it.each<[Record<string, string>, string]>([
    [{}, 'found none of `JOB_COMPLETION_INDEX`, `CI_NODE_INDEX`, `SLURM_ARRAY_TASK_ID`'],
    [{ CI_NODE_INDEX: '1' }, '`CI_NODE_TOTAL`, beside `CI_NODE_INDEX`; it is not set'],
    [{ CI_NODE_INDEX: 'one', CI_NODE_TOTAL: '2' }, 'it is `one`'],
    [
      { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '2' },
      'say that this is shard 3/2, which does not exist: the number must be from 1 to 2',
    ],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '2' }, 'say that this is shard 0/2, which does not exist'],
    [{ SLURM_ARRAY_TASK_ID: '1', SLURM_ARRAY_TASK_COUNT: '2' }, '`SLURM_ARRAY_TASK_MIN`'],
  ])('is not guessed from %j', (env, message) => {
    expect(() => shardOf('auto', env)).toThrow(UsageError)
    expect(() => shardOf('auto', env)).toThrow(message)
  })
})
