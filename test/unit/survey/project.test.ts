import { expect, test } from 'vitest'
import { projectNames, projectOf } from '../../../src/survey/project.ts'
import { isSelected, readFilters } from '../../../src/survey/select.ts'

interface Place {
  remote?: string
  cwds: string[]
}

/** A session in a repository and in folders. */
const cloned = (remote: string, ...cwds: string[]): Place => ({ remote, cwds })
/** A session in a folder without a repository. */
const inFolder = (...cwds: string[]): Place => ({ cwds })

test.each([
  [cloned('https://example.com/acme/shop.git', '/home/sam/code/x'), 'shop'],
  [cloned('git@example.com:acme/shop.git'), 'shop'],
  [cloned('git@example.com:shop'), 'shop'],
  [cloned('https://example.com/acme/dotfiles', '/home/sam'), 'dotfiles'],
  [inFolder('/home/sam/code/shop/'), 'shop'],
  [inFolder('C:\\code\\shop'), 'shop'],
  [inFolder('/srv/notes 10:30'), 'notes 10:30'],
  [inFolder('/srv/[redacted:named-secret#5]'), '[redacted:named-secret#5]'],
  [cloned('https://example.com/acme/[redacted:github-token]'), '[redacted:github-token]'],
  [inFolder('/'), '/'],
  [inFolder('~'), 'Home folder'],
  [inFolder('~/'), 'Home folder'],
  [inFolder('/home/sam'), 'Home folder'],
  [inFolder('/Users/sam'), 'Home folder'],
  [inFolder('C:\\Users\\sam\\'), 'Home folder'],
  [inFolder('/root'), 'Home folder'],
  [inFolder('/home'), 'home'],
  [cloned(' ', ''), 'No folder recorded'],
  [inFolder(), 'No folder recorded'],
])('the project of %j is %j', (place, name) => {
  expect(projectOf(place).name).toBe(name)
})

test('a project is identified by its whole place, however that is written', () => {
  const slug = (place: Place): string => projectOf(place).slug
  expect(slug(cloned('https://example.com/acme/shop/', '/elsewhere'))).toBe(
    slug(cloned('https://example.com/acme/shop.git')),
  )
  expect(slug(cloned('https://example.com/other/shop'))).not.toBe(slug(cloned('https://example.com/acme/shop')))
  expect(slug(inFolder('/home/sam/shop'))).not.toBe(slug(inFolder('/srv/shop')))
  expect(slug(inFolder('C:\\Code\\shop'))).toBe(slug(inFolder('c:/code/Shop/')))
  expect(slug(inFolder('/code/shop'))).not.toBe(slug(inFolder('/code/Shop')))
})

test.each([
  [cloned('https://example.com/acme/shop.git'), 'shop-73a80d'],
  [inFolder('/home/sam/shop'), 'shop-1d6ebd'],
  [inFolder('~'), 'x-fb0c4d'],
  [inFolder(), 'unknown-811c9d'],
  [inFolder('/'), 'x-2a0c97'],
  [inFolder('C:\\Code\\Shop'), 'shop-3d776f'],
])('the published address of %j stays %j, whatever the project is called', (place, slug) => {
  expect(projectOf(place).slug).toBe(slug)
  expect(projectOf(place, projectNames([place, inFolder('/other/shop')])).slug).toBe(slug)
})

test.each<[string, Place[], string[]]>([
  ['by their parents', [inFolder('/home/sam/work/app'), inFolder('/home/sam/play/app')], ['work/app', 'play/app']],
  [
    'by no more than necessary, each separately',
    [inFolder('/a/work/app'), inFolder('/b/work/app'), inFolder('/c/play/app'), inFolder('/c/play/site')],
    ['a/work/app', 'b/work/app', 'play/app', 'site'],
  ],
  ['if one is the end of the other', [inFolder('/app'), inFolder('/work/app')], ['/app', 'work/app']],
  [
    'repositories, and those from folders',
    [cloned('git@example.com:acme/app.git'), cloned('https://example.com/sam/app'), inFolder('/srv/app')],
    ['acme/app', 'sam/app', 'srv/app'],
  ],
  [
    'with either slash, and not by letter case alone',
    [inFolder('C:\\Work\\App'), inFolder('D:\\play\\app'), inFolder('/srv/work/app')],
    ['C/Work/App', 'play/app', 'srv/work/app'],
  ],
  ['home folders', [inFolder('/home/ada'), inFolder('/home/sam')], ['home/ada', 'home/sam']],
  [
    'a folder with the name of a fallback',
    [inFolder(), inFolder('/srv/No folder recorded')],
    ['No folder recorded', 'srv/No folder recorded'],
  ],
  ['not if they are the same', [inFolder('/srv/app'), inFolder('/srv/app/')], ['app', 'app']],
])('projects with the same name are distinguished: %s', (_, places, names) => {
  const known = projectNames(places)
  expect(places.map((place) => projectOf(place, known).name)).toEqual(names)
})

test.each([
  ['work/app', '/home/sam/work/app'],
  ['work/app', 'C:\\work\\app'],
  ['work\\app', '/home/sam/work/app'],
  ['home folder', '/home/sam'],
  ['No folder recorded', undefined],
])('the filter %j finds a session in %j', (project, cwd) => {
  const filters = { projects: [project], since: undefined, until: undefined, ids: [], exclude: [], branches: [] }
  const selection = readFilters({ ...filters, archived: undefined, timeZone: 'UTC' }, 0)
  expect(isSelected({ id: 'a', archived: false, cwds: cwd === undefined ? [] : [cwd] }, selection)).toBe(true)
  expect(isSelected({ id: 'a', archived: false, cwds: ['/srv/other/place'] }, selection)).toBe(false)
})
