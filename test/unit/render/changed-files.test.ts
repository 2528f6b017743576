import { describe, expect, it } from 'vitest'
import { changedFiles } from '../../../src/render/transcript/changed-files.ts'
import { sumWork } from '../../../src/render/transcript/story.ts'
import type { FlowContent } from '../../../src/transcript/trast.ts'
import { body } from '../../helpers/render.ts'
import { parseTags, tagsOfClass } from '../../helpers/tags.ts'
import { assistant, command, fileChange, group, hunk, notice, patch, toolCall, turn } from '../../helpers/tree.ts'

const edit = (path: string, id: string, value = '-a\n+b\n+c') => fileChange(path, [hunk(value)], { id })

describe('the files that a turn changed', () => {
  it('sum up all changes of a file, in the order of the first ones', () => {
    const added = fileChange('/shop/b.ts', [hunk('+x')], { id: 'l2', operation: 'add' })
    const items = [patch([edit('/shop/a.ts', 'l1'), added]), command('ls'), patch([edit('/shop/a.ts', 'l3')])]
    expect(changedFiles(items)).toEqual([
      {
        path: '/shop/a.ts',
        added: 4,
        removed: 2,
        anchors: ['l1', 'l3'],
        isNew: false,
        isDeleted: false,
        byCommand: false,
      },
      { path: '/shop/b.ts', added: 1, removed: 0, anchors: ['l2'], isNew: true, isDeleted: false, byCommand: false },
    ])
  })

  it('follow a file that was moved', () => {
    const move = fileChange('a.ts', [hunk('+z')], { id: 'l2', operation: 'move', movedTo: 'b.ts' })
    const files = changedFiles([patch([edit('a.ts', 'l1')]), patch([move]), patch([edit('b.ts', 'l3')])])
    const sum = { added: 5, removed: 2, anchors: ['l1', 'l2', 'l3'] }
    expect(files).toEqual([
      { ...sum, path: 'b.ts', isNew: false, isDeleted: false, byCommand: false, movedFrom: 'a.ts' },
    ])
  })

  it.each([
    ['an edit', patch([fileChange('a.ts', [hunk('+z')], { id: 'l4', operation: 'move', movedTo: 'b.ts' })]), 7, 'l4'],
    ['a command', command('mv a.ts b.ts', [], { id: 'l4', status: 'completed' }), 6, 'l4'],
  ])('merge a file with the one that replaced it by %s', (_, move, added, last) => {
    const made = fileChange('a.ts', [hunk('+a\n+b')], { id: 'l2', operation: 'add' })
    const files = changedFiles([patch([edit('b.ts', 'l1')]), patch([made]), patch([edit('b.ts', 'l3')]), move])
    expect(files).toEqual([
      {
        ...{ path: 'b.ts', movedFrom: 'a.ts', added, removed: 2, anchors: ['l1', 'l2', 'l3', last] },
        ...{ isNew: false, isDeleted: false, byCommand: false },
      },
    ])
  })

  it('include files that successful commands wrote, under one name each', () => {
    const items = [
      command('echo x > notes.md', [], { id: 'l1', cwd: '/shop', status: 'completed' }),
      patch([edit('/shop/a.ts', 'l2')]),
      command("sed -i 's/a/b/' a.ts", [], { id: 'l3', cwd: '/shop', status: 'completed' }),
      command('echo x > lost.md', [], { id: 'l4', cwd: '/shop', status: 'failed' }),
    ]
    expect(changedFiles(items, '/shop')).toEqual([
      {
        path: '/shop/notes.md',
        added: 0,
        removed: 0,
        anchors: ['l1'],
        isNew: false,
        isDeleted: false,
        byCommand: true,
      },
      {
        path: '/shop/a.ts',
        added: 2,
        removed: 1,
        anchors: ['l2', 'l3'],
        isNew: false,
        isDeleted: false,
        byCommand: false,
      },
    ])
  })

  it('are deleted with their folder, but in a long list only by their own names', () => {
    const deletedIn = (count: number): string[] => {
      const edits = Array.from({ length: count }, (_, index) => edit(`/shop/lib/${index}.ts`, `l${index}`))
      const remove = command('rm -r lib && rm lib/7.ts', [], { id: 'l1000', cwd: '/shop', status: 'completed' })
      return changedFiles([patch(edits), remove], '/shop').flatMap(({ path, isDeleted }) => (isDeleted ? [path] : []))
    }
    expect(deletedIn(500)).toHaveLength(500)
    expect(deletedIn(501)).toEqual(['/shop/lib/7.ts'])
  })

  it('include those in groups and scripts, but no failed, hidden or inherited patches', () => {
    const inside = [
      toolCall('exec', 'x', [patch([edit('a', 'l1')])]),
      group('omitted', 'x', [patch([edit('b', 'l2')])]),
    ]
    const not = [
      patch([edit('c', 'l3')], { status: 'failed' }),
      patch([edit('d', 'l4')], { data: { visibility: 'hidden' } }),
      patch([edit('e', 'l5')], { data: { inherited: true } }),
    ]
    expect(changedFiles([...inside, ...not]).map(({ path }) => path)).toEqual(['a', 'b'])
  })
})

describe('files that commands moved or removed', () => {
  const ran = (script: string, id: string) => command(script, [], { id, cwd: '/shop' })
  const listOf = (...items: FlowContent[]) =>
    changedFiles(items, '/shop').map(({ path, movedFrom, isDeleted, anchors }) => [
      path,
      movedFrom,
      isDeleted,
      anchors.join(' '),
    ])

  it('have the names that they have now', () => {
    expect(
      listOf(
        ran('echo x > a.ts', 'l1'),
        patch([edit('/shop/lib/b.ts', 'l2')]),
        ran('mv a.ts a.tsx && git mv lib src/', 'l3'),
        ran('echo y >> a.tsx', 'l4'),
        ran('rm -r src', 'l5'),
      ),
    ).toEqual([
      ['/shop/a.tsx', '/shop/a.ts', false, 'l1 l3 l4'],
      ['/shop/src/lib/b.ts', '/shop/lib/b.ts', true, 'l2 l3 l5'],
    ])
  })

  it('are merged with the file that they replaced', () => {
    const replace = 'jq . a.json > a.tmp && mv a.tmp a.json'
    expect(listOf(ran(replace, 'l1'))).toEqual([['/shop/a.json', undefined, false, 'l1']])
    expect(listOf(patch([edit('/shop/a.json', 'l1')]), ran(replace, 'l2'))).toEqual([
      ['/shop/a.json', undefined, false, 'l1 l2'],
    ])
  })

  it('are not listed if the turn did not write them before', () => {
    expect(listOf(ran('mv a.ts b.ts; rm c.ts', 'l1'))).toEqual([])
  })

  it('count once in the line of work', () => {
    const work = [ran('echo x > a.ts', 'l1'), ran('mv a.ts b.ts; rm c.ts', 'l2')]
    expect(sumWork(work, new Map()).changes).toEqual(['1 file written'])
  })
})

describe('the foot of a turn', () => {
  const shown = (...items: FlowContent[]) => body([turn(items, { id: 't-1', cwd: '/shop' })])

  it('lists several files with links to each change', () => {
    const html = shown(patch([edit('/shop/a.ts', 'l1'), edit('/lib/b.ts', 'l2')]), patch([edit('/shop/a.ts', 'l3')]))
    expect(html).toContain('<div id="t-1-files" class="item changed">')
    expect(html).toContain('<span class="what">2 files changed</span>')
    expect(html).toContain(
      '<li><a href="#l1">a.ts</a><a class="nth" href="#l3" aria-label="change 2 of a.ts">2</a><span class="mark"><b class="good">+4</b> <b class="bad">−2</b></span></li>',
    )
    expect(html).toContain('<a href="#l2">/lib/b.ts</a>')
    const ids = parseTags(html).tags.map(({ attributes }) => attributes['id'])
    for (const anchor of ['l1', 'l2', 'l3']) expect(ids).toContain(anchor)
  })

  it('counts files that commands wrote separately, because their changed lines are unknown', () => {
    const head = (...items: FlowContent[]) =>
      /<summary>(.*?)<\/summary>/s.exec(shown(...items).split('item changed')[1] ?? '')
    const wrote = command('cat > b.ts')
    expect(head(patch([edit('a.ts', 'l1')]), wrote)?.[1]).toMatch(/1 file changed<.*\+2.* · 1 written</s)
    expect(head(wrote)?.[1]).toMatch(/1 file written</)
  })

  it('is there for every turn that changed a file, and for no other', () => {
    expect(tagsOfClass(shown(patch([edit('a', 'l1')])), 'changed')).toHaveLength(1)
    expect(tagsOfClass(shown(patch([edit('a', 'l1')], { status: 'failed' })), 'changed')).toEqual([])
  })

  it('is folded, comes before the answer, and counts changes of one file beyond a dozen', () => {
    const html = shown(patch([edit('a', 'l1')]), assistant('Done', { phase: 'final_answer' }))
    expect(html.slice(html.indexOf('item changed'))).toMatch(/^item changed"><details class="work"><summary>.*Done/s)
    expect(shown(patch([edit('a', 'l1')]), notice('unanswered'))).toMatch(/item changed".*Ended without an answer/s)
    const often = shown(...Array.from({ length: 20 }, (_, index) => patch([edit('a', `l${index}`)])))
    expect(often).toContain('and 7 more')
  })
})
