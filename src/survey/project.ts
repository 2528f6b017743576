/** The project of a thread and its name: the repository if one is recorded, otherwise the folder. */

import type { ProjectRef } from '../transcript/summary.ts'
import { projectSlug } from '../transcript/urls.ts'
import { addTo } from '../util/groups.ts'
import { pathKey } from '../util/paths.ts'

/** What determines the project of a thread: the URL of its repository and its working folders. */
interface ProjectSource {
  remote?: string
  cwds: readonly string[]
}

/** Names by slug, as `projectNames` makes them. */
export type ProjectNames = ReadonlyMap<string, string>

/**
 * The project of a thread: that of its remote URL, or else of its first working folder, without a final slash or `.git`. The name
 * comes from `names`, or if it is not there, is the name that the project would have on its own.
 */
export function projectOf(source: ProjectSource, names?: ProjectNames): ProjectRef {
  const { slug, name } = read(source)
  return { slug, name: names?.get(slug) ?? name }
}

/**
 * Unique names for the projects of some threads. Folders or repositories that end alike are named by the shortest ending that no
 * other has, such as `work/app` and `play/app`. Letter case and the kind of slash make no difference.
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
  /** The URL or path; absent if no folder is recorded. */
  key?: string
}

/** Names by slug for projects with the same last part. */
function distinctNames(candidates: readonly Project[]): [slug: string, name: string][] {
  if (candidates.length === 1) return candidates.map(({ slug, name }) => [slug, name])
  const counts = new Map<string, number>()
  for (const end of candidates.flatMap(endsOf)) counts.set(end.toLowerCase(), (counts.get(end.toLowerCase()) ?? 0) + 1)
  return candidates.map((project) => {
    const { slug, name, key } = project
    if (key === undefined) return [slug, name]
    const own = endsOf(project).find((end) => counts.get(end.toLowerCase()) === 1)
    return [slug, own ?? key]
  })
}

/** The endings of a project's path or URL that have two parts or more, shortest first. */
function endsOf({ key = '' }: Project): string[] {
  const parts = partsOf(key)
  return parts.slice(1).map((_, index) => parts.slice(-index - 2).join('/'))
}

/** The project of a source, cached by its path or URL: thousands of sessions belong to few projects. */
function read({ remote, cwds: [cwd] }: ProjectSource): Project {
  const cacheKey = `${remote ?? ''}\0${cwd ?? ''}`
  const before = cachedProjects.get(cacheKey)
  if (before !== undefined) return before
  const project = projectAt(remote, cwd)
  if (cachedProjects.size >= maxCached) cachedProjects.clear()
  cachedProjects.set(cacheKey, project)
  return project
}

const cachedProjects = new Map<string, Project>()
const maxCached = 1000

function projectAt(remote: string | undefined, cwd: string | undefined): Project {
  const repository = trimmed(remote)
  const key = repository ?? trimmed(cwd)
  // The slug keeps the old word for this project, so that existing links into sites stay valid.
  if (key === undefined) return { slug: projectSlug('unknown', ''), name: 'No folder recorded' }
  const last = partsOf(key).at(-1) ?? key
  return {
    slug: projectSlug(last, pathKey(key)),
    name: repository === undefined && isHome(key) ? 'Home folder' : last,
    key,
  }
}

/**
 * The parts of a URL or a path. A colon separates a host or a drive from what follows; in a Unix path it is an ordinary
 * character.
 */
function partsOf(key: string): string[] {
  return key.split(/^[/~]/.test(key) ? /[/\\]/ : /[/\\]|(?<!\[redacted):/).filter((part) => part !== '')
}

/** Whether a path is a home folder, redacted or not. */
function isHome(key: string): boolean {
  return /^(?:~|\/root|(?:\/home|\/Users|[a-z]:[\\/]Users)[\\/][^\\/]+)$/i.test(key)
}

/** A URL or path without the ending in which copies of a repository may differ; `undefined` if it is empty. */
function trimmed(path: string | undefined): string | undefined {
  if (path === undefined || path.trim() === '') return undefined
  const short = path
    .trim()
    .replace(/(?<![/\\])[/\\]+$/, '')
    .replace(/\.git$/, '')
  return short === '' ? path.trim() : short
}
