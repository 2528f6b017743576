/**
 * The workflows of the repository: which Node versions and systems they test, their permissions, and that what they
 * run exists.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { nodeComplaint } from '../../../src/cli/command.ts'

interface Job {
  'runs-on': string
  'timeout-minutes'?: number
  permissions?: unknown
  strategy?: { matrix: { node?: string[]; system?: { image: string; tests: string }[] } }
  steps: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}
interface Workflow {
  on: Record<string, unknown>
  permissions?: unknown
  jobs: Record<string, Job>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const folder = join(root, '.github/workflows')
const texts = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string }
  scripts: Record<string, string>
}
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')

/** The first version of each range that `engines` accepts, as `major.minor`. */
const lowest = Array.from(manifest.engines.node.matchAll(/(?:\^|>=)(\d+\.\d+)\.0/g), ([, version]) => version)

/**
 * Permissions of single jobs: npm needs the identity of the release to state where it was built, Pages that of the
 * site.
 */
const rights: Record<string, unknown> = {
  'release.yml': { contents: 'read', 'id-token': 'write' },
  'docs.yml': { contents: 'read', pages: 'write', 'id-token': 'write' },
}

describe.each([...texts])('%s', (name, text) => {
  const { on, permissions, jobs } = parse(text) as Workflow
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('may only read the repository, except for known jobs, and uses no secret', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual(Object.keys(jobs).map(() => rights[name]))
    expect(text).not.toMatch(/\bsecrets\b|GITHUB_TOKEN|github\.token/)
    // This event gives the code of strangers the permissions of the repository.
    expect(Object.keys(on)).not.toContain('pull_request_target')
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  it('uses only actions of GitHub, each pinned to a major version', () => {
    for (const { uses } of steps) expect(uses ?? 'actions/none@v1').toMatch(/^actions\/[a-z-]+@v\d+$/)
  })

  it('puts no text of a pull request into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toMatch(/\$\{\{(?!\s*matrix\.)/)
  })

  it('limits each job to an hour', () => {
    for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(60)
  })

  it('runs existing scripts of package.json and projects of vitest', () => {
    const commands = [...steps.map(({ run = '' }) => run), ...systemsOf(jobs).map(({ tests }) => tests)].join('\n')
    const scripts = [...commands.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script)
    expect(scripts.filter((script) => manifest.scripts[script] === undefined)).toEqual([])
    const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8')
    const projects = [...commands.matchAll(/--project (\w+)/g)].map(([, project = '']) => project)
    expect(projects.filter((project) => !config.includes(`project('${project}'`))).toEqual([])
  })
})

/** The systems of jobs that run on several. */
function systemsOf(jobs: Workflow['jobs']): { image: string; tests: string }[] {
  return Object.values(jobs).flatMap((job) => job.strategy?.matrix.system ?? [])
}

describe('the checks of a change', () => {
  const { jobs } = parse(texts.get('ci.yml') ?? '') as Workflow
  const matrices = Object.values(jobs).flatMap((job) => job.strategy?.matrix.node ?? [])

  it('test the lowest Node of every range of `engines`, 24 and 26, and none that the program refuses', () => {
    expect(lowest).toHaveLength(2)
    for (const { strategy } of Object.values(jobs).filter((job) => job.strategy !== undefined))
      expect(strategy?.matrix.node).toEqual([...lowest, '24', '26'])
    const exact = matrices.map((version) => [...version.split('.'), '0', '0'].slice(0, 3).join('.'))
    expect(exact.filter((version) => nodeComplaint(version) !== undefined)).toEqual([])
  })

  it('run on Linux, macOS and Windows, and run every test on Linux', () => {
    const images = [...Object.values(jobs).map((job) => job['runs-on']), ...systemsOf(jobs).map(({ image }) => image)]
    expect(images).toEqual(expect.arrayContaining(['ubuntu-latest', 'macos-latest', 'windows-latest']))
    const whole = Object.values(jobs).find(({ steps }) => steps.some(({ run }) => run === 'npm test'))
    expect(whole?.['runs-on']).toBe('ubuntu-latest')
  })

  it('check the package with the tools that CONTRIBUTING.md names, in the same versions', () => {
    const tools = (text: string): string[] =>
      [...text.matchAll(/(?:publint|@arethetypeswrong\/cli)@\d+\.\d+\.\d+/g)].map(([tool]) => tool)
    expect(tools(texts.get('ci.yml') ?? '')).toEqual(tools(contributing))
    expect(tools(contributing)).toHaveLength(2)
  })
})
