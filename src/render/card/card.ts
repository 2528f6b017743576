/** The picture of a session in previews of links, as SVG. */
import { xmlText } from '../xml.ts'
import type { Font } from './font.ts'
import { drawable, wrap } from './set-text.ts'

/** What a card tells. */
export interface CardFacts {
  /** Title of the site. */
  site: string
  title: string
  project: string
  /** Short texts in the order of their weight: date, numbers. */
  facts: readonly string[]
}

/** Size that social networks ask for. */
const size = { width: 1200, height: 630 }
const margin = 84
const inner = size.width - 2 * margin

/** Colours of the light theme: previews are shown on either. */
const colours = { paper: '#fdfdfc', ink: '#1d1f20', soft: '#52565a', line: '#e3e3de', accent: '#2557ad' }

/** Sizes of the title, the largest first: the first one that has room for all of it is taken. */
const titleSizes = [76, 64, 54] as const
const mostLines = 4

/** A card of 1200 by 630 pixels whose text the font can draw; what it cannot is left out. */
export function cardSvg(card: CardFacts, font: Font): string {
  const project = drawable(card.project, font) ?? ''
  const title = drawable(card.title, font) ?? project
  const foot = drawable([project, ...card.facts].filter((fact) => fact !== '').join(' · '), font) ?? ''
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">`,
    `<rect width="${size.width}" height="${size.height}" fill="${colours.paper}"/>`,
    `<rect width="${size.width}" height="14" fill="${colours.accent}"/>`,
    ...lines(drawable(card.site, font) ?? '', font, { x: margin, y: 118, size: 32, most: 1, fill: colours.accent }),
    ...titleLines(title, font),
    `<path d="M${margin} 508h${inner}" stroke="${colours.line}" stroke-width="2"/>`,
    ...lines(foot, font, { x: margin, y: 562, size: 30, most: 1, fill: colours.soft }),
    '</svg>',
  ].join('\n')
}

function titleLines(title: string, font: Font): string[] {
  const fits = (candidate: number) => {
    const set = wrap(title, font, { width: inner / candidate, most: mostLines })
    return set.length * candidate * 1.22 <= 330 && !/(?:…|\.\.\.)$/.test(set.at(-1) ?? '')
  }
  const chosen = titleSizes.find(fits) ?? titleSizes.at(-1) ?? 54
  return lines(title, font, { x: margin, y: 190 + chosen * 0.8, size: chosen, most: mostLines, fill: colours.ink })
}

interface Place {
  x: number
  /** Base of the first line. */
  y: number
  size: number
  most: number
  fill: string
}

function lines(text: string, font: Font, place: Place): string[] {
  const set = wrap(text, font, { width: inner / place.size, most: place.most })
  return set.map((line, index) => {
    const y = Math.round(place.y + index * place.size * 1.22)
    return `<text x="${place.x}" y="${y}" font-size="${place.size}" fill="${place.fill}">${xmlText(line)}</text>`
  })
}
