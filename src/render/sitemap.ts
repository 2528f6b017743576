/** `sitemap.xml` (sitemaps.org, protocol 0.9). */
import type { OutputFile } from '../model/output.ts'
import { publicUrl } from '../model/urls.ts'
import { xmlText } from './xml.ts'

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Addresses that one file may hold. */
const mostUrls = 50_000

/** A page of the site. */
export interface SitemapPage {
  path: string
  /** Instant of what it shows last. */
  modifiedAt?: string
}

/**
 * The pages of a site at `url`, in their order: one file or, for more addresses than one may hold, several behind an
 * index of that name.
 */
export function sitemapFiles(pages: readonly SitemapPage[], url: string, most: number = mostUrls): OutputFile[] {
  const parts: SitemapPage[][] = []
  for (let start = 0; start < pages.length; start += most) parts.push(pages.slice(start, start + most))
  const [only = []] = parts
  if (parts.length <= 1) return [{ path: 'sitemap.xml', content: listOf('urlset', 'url', only, url) }]
  const files = parts.map((part, index) => ({
    path: `sitemap-${index + 1}.xml`,
    content: listOf('urlset', 'url', part, url),
  }))
  const index = files.map(({ path }) => ({ path }))
  return [{ path: 'sitemap.xml', content: listOf('sitemapindex', 'sitemap', index, url) }, ...files]
}

function listOf(list: string, item: string, pages: readonly SitemapPage[], url: string): string {
  const lines = pages.map(({ path, modifiedAt }) => {
    const modified = modifiedAt === undefined ? '' : `<lastmod>${xmlText(modifiedAt)}</lastmod>`
    return `<${item}><loc>${xmlText(publicUrl(url, path))}</loc>${modified}</${item}>`
  })
  const head = ['<?xml version="1.0" encoding="utf-8"?>', `<${list} xmlns="${namespace}">`]
  return [...head, ...lines, `</${list}>`, ''].join('\n')
}
