/** To which project a thread belongs, its repository where one is recorded, else its folder, and what people call it. */

import type { ProjectRef } from '../transcript/summary.ts'
import { projectSlug } from '../transcript/urls.ts'
import { addTo } from '../util/groups.ts'
import { pathKey } from '../util/paths.ts'

/** What tells the project of a thread: the URL of its repository and its working folders. */
interface ProjectSource {
  remote?: string
  cwds: readonly string[]
}

/** Names by slug, as `projectNames` makes them. */
export type ProjectNames = ReadonlyMap<string, string>

/**
 * The project of a thread: that of its remote URL, else of its first working folder, each without its last slash or
 * `.git`. Named by `names` where these know it, else as if it were alone.
 */
export function projectOf(source: ProjectSource, names?: ProjectNames): ProjectRef {
  const { slug, name } = read(source)
  return { slug, name: names?.get(slug) ?? name }
}

/**
 * Names of the projects of some threads, no two alike: where folders or repositories end alike, each is named by the
 * shortest end that no other has, such as `work/app` and `play/app`. Letter case and the kind of slash tell none apart.
 */
export function projectNames(sources: Iterable<ProjectSource>): ProjectNames {
  const projects = new Map<string, Project>()
  const byName = new Map<string, Project[]>()
  for (const source of sources) {
    const project = read(source)
    if (projects.has(project.slug)) continue
    projects.set(project.slug, project)
    addTo(byName, project.name.toLowerCase(), project)
  }
  return new Map([...byName.values()].flatMap(distinctNames))
}

interface Project extends ProjectRef {
  /** The URL or path; absent where no folder is recorded. */
  key?: string
}

/** Names by slug of projects that end alike. */
function distinctNames(alike: readonly Project[]): [slug: string, name: string][] {
  if (alike.length === 1) return alike.map(({ slug, name }) => [slug, name])
  const counts = new Map<string, number>()
  for (const end of alike.flatMap(endsOf)) counts.set(end.toLowerCase(), (counts.get(end.toLowerCase()) ?? 0) + 1)
  return alike.map((project) => {
    const { slug, name, key } = project
    if (key === undefined) return [slug, name]
    const own = endsOf(project).find((end) => counts.get(end.toLowerCase()) === 1)
    return [slug, own ?? key]
  })
}

/** Ends of the place of a project from two parts on, the shortest first. */
function endsOf({ key = '' }: Project): string[] {
  const parts = partsOf(key)
  return parts.slice(1).map((_, index) => parts.slice(-index - 2).join('/'))
}

/** The project of a source, remembered by its place: thousands of sessions are of few projects. */
function read({ remote, cwds: [cwd] }: ProjectSource): Project {
  const place = `${remote ?? ''}\0${cwd ?? ''}`
  const before = known.get(place)
  if (before !== undefined) return before
  const project = projectAt(remote, cwd)
  if (known.size >= maxKnown) known.clear()
  known.set(place, project)
  return project
}

const known = new Map<string, Project>()
const maxKnown = 1000

function projectAt(remote: string | undefined, cwd: string | undefined): Project {
  const repository = trimmed(remote)
  const key = repository ?? trimmed(cwd)
  // The slug keeps the word that this project had once: links into sites stay valid.
  if (key === undefined) return { slug: projectSlug('unknown', ''), name: 'No folder recorded' }
  const last = partsOf(key).at(-1) ?? key
  return {
    slug: projectSlug(last, pathKey(key)),
    name: repository === undefined && isHome(key) ? 'Home folder' : last,
    key,
  }
}

/** The parts of a URL or a path. A colon parts a host or a drive from what follows; in a folder of Unix it is a letter. */
function partsOf(key: string): string[] {
  return key.split(/^[/~]/.test(key) ? /[/\\]/ : /[/\\]|(?<!\[redacted):/).filter((part) => part !== '')
}

/** Home folders, as redaction writes them and as they are. */
function isHome(key: string): boolean {
  return /^(?:~|\/root|(?:\/home|\/Users|[a-z]:[\\/]Users)[\\/][^\\/]+)$/i.test(key)
}

/** Copies of a repository differ in how its URL ends, not in what it names. */
function trimmed(place: string | undefined): string | undefined {
  if (place === undefined || place.trim() === '') return undefined
  const short = place
    .trim()
    .replace(/(?<![/\\])[/\\]+$/, '')
    .replace(/\.git$/, '')
  return short === '' ? place.trim() : short
}
