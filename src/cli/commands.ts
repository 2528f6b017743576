/** `codex-export build`, `merge`, `list`, `show` and `serve`. */

import type { Diagnostic } from '../diagnostics/codes.ts'
import { RemovalError, UsageError } from '../diagnostics/errors.ts'
import type { BuildFeatures } from '../site/context.ts'
import { countLevel } from '../site/report.ts'
import type { SessionRequests } from '../site/requests.ts'
import type { BuildOptions, BuildResult, Host } from '../site/types.ts'
import type { FreshSite, WatchNews } from '../site/watch-fs.ts'
import { defined } from '../util/own.ts'
import { jsonDocument, printableLines } from '../util/printable.ts'
import { formatAmount, formatCount } from '../util/time.ts'
import { asCalled } from './called-as-fs.ts'
import { type CommandModule, exitCodes, type Invocation } from './command.ts'
import { logDiagnostics } from './log.ts'
import { writeTo } from './product-fs.ts'
import type { Background } from './serve/server-fs.ts'
import { buildOptions, type CallSettings, personalOf, readSettings, showOptions, sourcesOf } from './settings.ts'
import { buildJson, buildSummary, noSessions, refusedJson } from './summary.ts'
import { supervise } from './supervise.ts'
import { note, type World, widthOf } from './world.ts'

/** The file that contains all diagnostics; a locked site has none, because nobody could open it. */
function reportOf({ passwordFile }: BuildOptions): { report?: string } {
  return passwordFile === undefined ? { report: 'build-report.json' } : {}
}

/** A session whose file was written within this many milliseconds may still be running. */
const liveMs = 5 * 60_000

/** Builds the site. */
export const buildCommand: CommandModule = {
  name: 'build',
  usage: 'build',
  describe: 'Turn Codex sessions into a static, searchable site',
  examples: [['build --project shop --since 30d', 'build a site from one project']],
  async run(invocation) {
    const call = await readSettings(invocation)
    if (call.settings.watch) return buildAndWatch(call, invocation)
    if (call.settings.shard !== undefined) return runShard(call.settings.shard, call, invocation)
    const { build } = await import('../site/build.ts')
    return runBuild(build, call, invocation)
  },
}

/** Makes the site around the sessions of shards. */
export const mergeCommand: CommandModule = {
  name: 'merge',
  usage: 'merge',
  describe: 'Make one site from the shards that `build --shard` wrote',
  examples: [['merge --shards shards --out site', 'make the site around the sessions of all shards']],
  async run(invocation) {
    const call = await readSettings(invocation)
    const { mergeShards } = await import('../site/shards-fs.ts')
    return runBuild(mergeShards, call, invocation)
  },
}

async function runBuild(
  build: (options: BuildOptions, host: Host, features: BuildFeatures) => Promise<BuildResult>,
  call: CallSettings,
  { world, flags, features }: Invocation,
): Promise<number> {
  const { json, strict } = call.settings
  const begin = world.now()
  const options = buildOptions(call)
  const result = await supervise(world, (host) => build(options, host, features), reportOf(options)).catch(
    async (error) => {
      if (json && error instanceof RemovalError) await world.stdout.write(refusedJson(error, world.now() - begin))
      throw error
    },
  )
  await note(
    world,
    printableLines(buildSummary(result, { ...call, program: world.program, args: world.args, cwd: world.cwd, flags })),
  )
  if (json) await world.stdout.write(buildJson(result, world.now() - begin))
  const failed = result.failed > 0 || countLevel(result.diagnostics, 'fatal') > 0
  return failed || (strict && result.warnings > 0) ? exitCodes.findings : exitCodes.fine
}

/** Builds the site and keeps it up to date until Ctrl-C, which ends it successfully. */
async function buildAndWatch(call: CallSettings, invocation: Invocation): Promise<number> {
  const { world, features } = invocation
  const { dryRun, json, shard, poll } = call.settings
  if (dryRun || json || shard !== undefined)
    throw new UsageError('`--watch` cannot be used with `--dry-run`, `--json` or `--shard`: it does not end by itself.')
  const { freshSite, watchSite } = await import('../site/watch-fs.ts')
  const site = freshSite({ ...buildOptions(call), liveMs }, features, world)
  await runBuild((_, host) => site.build(host), call, invocation)
  const watch = (host: Host): Promise<void> => watchSite(site, host, { poll, liveMs }, newsFor(world, host))
  await supervise(world, watch, { farewell: 'Stopped.' })
  return exitCodes.fine
}

/** Reports on standard error what a watch does; `changed` is called when there are new pages. */
function newsFor(world: World, { progress }: Host, changed: () => void = () => {}): WatchNews {
  const log = (text: string): void => {
    const clock = new Date(world.now()).toTimeString().slice(0, 8)
    progress.done(`${clock} ${printableLines(asCalled(text, world))}`)
  }
  let failed = 0
  progress.done('Watching for changes (Ctrl-C stops)')
  return {
    updated(sessions) {
      changed()
      log(`Updated ${formatAmount(sessions, 'session')}`)
    },
    built(result) {
      changed()
      if (result.written + result.removed > 0) log('Updated the whole site')
      if (result.failed > failed) log(`${formatAmount(result.failed, 'session')} gave no page: see build-report.json`)
      failed = result.failed
    },
    failed: ({ message }) => log(`The site was left as it was. ${message}`),
  }
}

/** Builds one shard and says where it is. */
async function runShard(text: string, call: CallSettings, { world, features }: Invocation): Promise<number> {
  const { json, strict } = call.settings
  const { buildShard, shardOf } = await import('../site/shards-fs.ts')
  const shard = shardOf(text, world.env)
  const result = await supervise(world, (host) => buildShard(shard, buildOptions(call), host, features))
  const { folder, sessions, rendered, failed, warnings, fatal } = result
  const kept = rendered === sessions ? '' : ` (${formatCount(sessions - rendered)} unchanged)`
  await note(world, `Built ${formatAmount(sessions, 'session')}${kept} in ${folder}\n`)
  if (json) await world.stdout.write(jsonDocument({ ...shard, ...result }))
  return failed + fatal > 0 || (strict && warnings > 0) ? exitCodes.findings : exitCodes.fine
}

// `codex-export list`

/** Prints the session index. */
export const listCommand: CommandModule = {
  name: 'list',
  usage: 'list',
  describe: 'Print the session index, one row per thread',
  examples: [['list --since 7d', 'list the sessions of the last week']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const { listText } = await import('./list-sessions.ts')
    const { json, timeZone, redact } = call.settings
    const { stdout, stderr } = world
    const options = { ...sourcesOf(call), redact, personal: personalOf(call) }
    const form = { json, timeZone, ...defined({ width: widthOf(stdout) }) }
    const { text, sum, failed, places, found } = await supervise(world, (host) => listText(options, form, host))
    if (text === '') await stderr.write(`${noSessions({ places, found }, world).join('\n')}\n`)
    else await stdout.write(text)
    if (sum !== '') await note(world, `${sum}\n`)
    return failed > 0 ? exitCodes.findings : exitCodes.fine
  },
}

// `codex-export show`

/** Prints one transcript. */
export const showCommand: CommandModule = {
  name: 'show',
  usage: 'show [target]',
  describe: 'Print one transcript',
  positionals: { target: 'The start of a thread id, or the path of a rollout' },
  examples: [['show 0199a213', 'print that thread as Markdown']],
  async run(invocation) {
    const { world } = invocation
    const call = await readSettings(invocation)
    const { output, homes, timeZone } = call.settings
    const options = showOptions(call, invocation)
    const { target, targetPath, projects } = options
    if (target === '' || (target === undefined && projects.length === 0))
      throw new UsageError(
        '`show` needs the start of a thread id, the path of a rollout, or `--project NAME` to pick from.',
      )
    const [{ show }, { choose }] = await Promise.all([import('./show/show.ts'), import('./show/target.ts')])
    const { isComplete } = await writeTo({ output, homes, source: targetPath }, world, (write) =>
      supervise(world, (host) => show({ ...options, choose: choose(world, host.signal, timeZone), write }, host)),
    )
    return isComplete ? exitCodes.fine : exitCodes.findings
  },
}

// `codex-export serve`

/** Builds the site and serves it on this machine until Ctrl-C. */
export const serveCommand: CommandModule = {
  name: 'serve',
  usage: 'serve',
  describe: 'Build the site and serve it on 127.0.0.1 until Ctrl-C',
  examples: [['serve --port 8080 --open', 'use port 8080 and open the browser']],
  async run(invocation) {
    const { world, features } = invocation
    const call = await readSettings(invocation)
    const { watch, poll } = call.settings
    const [{ findFolders }, { freshSite, watchSite }, { serve }, { sessionRequests }] = await Promise.all([
      import('../site/build.ts'),
      import('../site/watch-fs.ts'),
      import('./serve/server-fs.ts'),
      import('../site/requests.ts'),
    ])
    const options = { ...buildOptions(call), liveMs }
    // Fails before an address is announced at which nothing would answer.
    findFolders(options, world)
    const site = freshSite(options, features, world)
    const requests = sessionRequests()
    const background: Background = async (host, server) => {
      const { notifyPages, setMode } = server
      setMode('building')
      const done = await buildInBackground(site, { host, world, ...server, requests, ...reportOf(options) })
      setMode(watch ? 'watching' : 'settled')
      requests.end()
      host.progress.done(done)
      if (watch) await watchSite(site, host, { poll, liveMs }, newsFor(world, host, notifyPages))
    }
    await supervise(world, (host) => serve(call.settings, host, background, requests), { farewell: 'Stopped.' })
    return exitCodes.fine
  },
}

/** Size of the rollouts with which serving begins if there is no site yet: about as much as is rendered in some seconds. */
const partBytes = [1 << 24]

/**
 * Builds the site that is being served, and returns what to say when it is done. If sessions vanished, the site of the last build
 * stays, because the reader came for it.
 */
async function buildInBackground(
  site: FreshSite,
  {
    host,
    world,
    notifyPages,
    announce,
    requests,
    report,
  }: Parameters<Background>[1] & { host: Host; world: World; requests: SessionRequests; report?: string },
): Promise<string> {
  const diagnostics: Diagnostic[] = []
  try {
    const runOptions = { partBytes, opened: announce, placed: notifyPages, requests }
    const { sessions } = await site.build({ ...host, report: (item) => diagnostics.push(item) }, runOptions)
    host.progress.done()
    announce()
    await logDiagnostics(world, diagnostics, report)
    return `Built ${formatAmount(sessions, 'session')}`
  } catch (error) {
    if (!(error instanceof RemovalError)) throw error
    host.progress.done()
    announce()
    return `${printableLines(asCalled(error.message, world))}\nServing the site of the last build.`
  } finally {
    notifyPages()
  }
}
