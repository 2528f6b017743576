/** Pages that are kept although their rollout was deleted. */
import { describe, expect, it } from 'vitest'
import { assetsOf, markOrphaned } from '../../../src/site/kept-sessions.ts'

const page = `<link rel="stylesheet" href="../../assets/site.0a1b.css"><script src="../../assets/site.2c3d.js"></script>
<header class="head">
<h1><a href="index.html">Gate</a></h1>
<p><a class="x" href="../aaaa/index.html#l3">parent</a> <a href="../bbbb/2.html">child</a> <a href="../../projects/x/index.html">x</a></p>
</header><p>&lt;header class="head"&gt;<h1>no</h1></p><img src="../../assets/0f.png">`

describe('a kept page', () => {
  it('says so after its title, once', () => {
    const marked = markOrphaned(page, () => true)
    expect(marked).toMatch(/<h1><a href="index.html">Gate<\/a><\/h1>\n<p class="gone"/)
    expect(marked.split('Source gone.')).toHaveLength(2)
    expect(markOrphaned(marked, () => true)).toBe(marked)
  })

  it('links to no session without a page, and keeps all other links', () => {
    const marked = markOrphaned(page, (folder) => folder === 'bbbb')
    expect(marked).toContain('<a class="x">parent</a>')
    expect(marked).toContain('<a href="../bbbb/2.html">child</a>')
    expect(marked).toContain('<a href="../../projects/x/index.html">x</a>')
  })

  it('is unchanged if its template has another head', () => {
    const own = '<main><h1>Gate</h1></main>'
    expect(markOrphaned(own, () => true)).toBe(own)
  })

  it('lists the assets that it loads', () => {
    expect([...assetsOf(page)]).toEqual(['site.0a1b.css', 'site.2c3d.js', '0f.png'])
  })
})
