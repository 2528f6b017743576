/** `show --format html`: one page that needs no other file. */
import type { ScanFacts } from '../model/summary.ts'
import type { Session } from '../model/trast.ts'
import { loadAssets } from '../render/assets-fs.ts'
import type { RenderContext } from '../render/context.ts'
import { renderBody } from '../render/html.ts'
import { singlePolicy } from '../render/policy.ts'
import { loadTemplates } from '../render/templates-fs.ts'
import { sessionView } from '../render/view.ts'
import { projectOf } from './project.ts'
import type { Look } from './types.ts'

export interface PageInput {
  look: Look
  facts: ScanFacts
  context: RenderContext
  /** Bytes of the pictures by asset name. */
  pictures: ReadonlyMap<string, Uint8Array>
}

/** Bytes of one picture, and of all together, that are put into the page; the others leave a note. */
const onePicture = 2 * 1024 * 1024
const allPictures = 20 * 1024 * 1024

/** Gives the page of a whole session with its style sheet and pictures in it. */
export async function showPage(session: Session, { look, facts, context, pictures }: PageInput): Promise<string> {
  const [templates, assets] = await Promise.all([loadTemplates(look.templatesDir), loadAssets(look.templatesDir)])
  const { title, timeZone, language, generator } = look
  const alone: RenderContext = { ...context, picture: inlined(pictures) }
  const view = sessionView({
    session,
    facts: { ...facts, pages: facts.pages.slice(0, 1), outline: facts.outline.map((entry) => ({ ...entry, page: 1 })) },
    project: projectOf(facts.remote, facts.cwds[0]),
    page: 1,
    neighbours: { forks: [], agents: [] },
    body: renderBody(session, alone),
    site: {
      title,
      timeZone,
      language,
      generator,
      search: false,
      markdown: false,
      json: false,
      css: assets.css,
      js: assets.js,
    },
    context: alone,
  })
  return templates.single({ ...view, style: assets.styleText, policy: singlePolicy(assets.styleText) })
}

function inlined(pictures: ReadonlyMap<string, Uint8Array>): (asset: string) => string | undefined {
  let left = allPictures
  return (asset) => {
    const bytes = pictures.get(asset)
    if (bytes === undefined || bytes.length > onePicture || bytes.length > left) return undefined
    left -= bytes.length
    const type = asset.slice(asset.lastIndexOf('.') + 1).replace('jpg', 'jpeg')
    return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
  }
}
