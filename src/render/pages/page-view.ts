/** The fields that every page shares. */

import { pageSettings } from '../../config/schema.ts'
import { assetPath, failuresPath, filesPath, relativeLink, searchPagePath, statsPath } from '../../transcript/urls.ts'
import type { SiteInfo } from '../../transcript/view.ts'
import { defined } from '../../util/defined.ts'
import { pagePolicy } from '../policy.ts'
import type { NavView, PageView } from '../views.ts'
import { descriptionOf, type PageAbout, socialView } from './open-graph.ts'

/** Path of the page that lists all projects. */
export const projectsPath = 'projects/index.html'

/** Pages of the bar at the top, which are part of every site. */
const sections: readonly { text: string; path: string }[] = [
  { text: 'Projects', path: projectsPath },
  { text: 'Files', path: filesPath },
  { text: 'Failures', path: failuresPath },
  { text: 'Stats', path: statsPath },
]

/** Common fields of the page at `path`; `about` is what links to it show elsewhere. */
export function pageView(path: string, title: string, site: SiteInfo, about: PageAbout = {}): PageView {
  const link = (target: string) => relativeLink(path, target)
  return {
    title: title === site.title ? title : `${title} · ${site.title}`,
    siteTitle: site.title,
    settings: pageSettings(site),
    language: site.language,
    generator: site.generator,
    policy: pagePolicy(site.search),
    root: '../'.repeat(path.split('/').length - 1),
    css: link(assetPath(site.css)),
    js: link(assetPath(site.js)),
    home: link('index.html'),
    projects: link(projectsPath),
    nav: sections.map((section) => navLink(path, section)),
    search: site.search,
    offline: site.offline === true,
    searchPage: link(searchPagePath),
    searchScript: link(assetPath(site.searchJs)),
    findScript: link(assetPath(site.findJs)),
    description: descriptionOf(site, about),
    ...defined({ social: socialView(path, title, site, about) }),
  }
}

/** Marked on the page itself and on those below it. */
function navLink(path: string, section: { text: string; path: string }): NavView {
  const link = { text: section.text, href: relativeLink(path, section.path) }
  if (path === section.path) return { ...link, current: 'page' }
  return path.startsWith(section.path.replace(/[^/]*$/, '')) ? { ...link, current: 'true' } : link
}
