/** Every page of the demo site is valid HTML by html-validate's strictest common rules. */
import { readFileSync } from 'node:fs'
import { describe, expect, inject, it } from 'vitest'
import { htmlFaults } from '../helpers/html-faults.ts'
import { demoFiles, readDemo } from './demo.ts'

describe('html-validate', () => {
  it.each(demoFiles().filter((path) => path.endsWith('.html')))('finds no fault in %s', async (path) => {
    expect(await htmlFaults(readDemo(path))).toEqual([])
  })

  it('finds no fault in a thread as one file', async () => {
    expect(await htmlFaults(readFileSync(inject('single'), 'utf8'))).toEqual([])
  })

  it('finds existing faults', async () => {
    const broken = readDemo('404.html').replace('</h1>', '</h1><p style="color:red" id="main"><div></div></p>')
    const found = (await htmlFaults(broken)).join('\n')
    expect(found).toMatch(/no-inline-style/)
    expect(found).toMatch(/element-permitted-content|no-implicit-close|close-order/)
  })
})
