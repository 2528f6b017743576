/** Checks that fields can be recognised by their borders. */
import type { Page } from 'playwright-core'
import { contrast } from '../../src/render/palette.ts'

interface Field {
  name: string
  border: string
  ground: string
}

/** Visible fields for text whose border has a contrast below 3 to 1 to what is around it (WCAG 1.4.11), with the ratio. */
export async function fieldFaults(page: Page): Promise<string[]> {
  const fields = await page.evaluate<Field[]>(`
    [...document.querySelectorAll('input:not([type="checkbox"], [type="radio"]), textarea')].flatMap((field) => {
      const style = getComputedStyle(field)
      if (style.borderTopWidth === '0px' || !field.checkVisibility({ visibilityProperty: true })) return []
      let around = field.parentElement
      const groundOf = (element) => getComputedStyle(element).backgroundColor
      while (around.parentElement && groundOf(around).endsWith(', 0)')) around = around.parentElement
      return { name: field.cloneNode().outerHTML, border: style.borderTopColor, ground: groundOf(around) }
    })
  `)
  return fields.flatMap(({ name, border, ground }) => {
    const ratio = contrast(rgb(border), rgb(ground))
    return ratio < 3 ? [`border with a contrast of ${ratio.toFixed(2)}: ${name}`] : []
  })
}

/** The numbers of `rgb(1, 2, 3)`. */
function rgb(colour: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number)
  return [red, green, blue]
}
