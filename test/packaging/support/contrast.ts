import type { Page } from 'playwright-core'

/** A text of a page with its computed colours, each as red, green, blue and alpha from 0 to 255. */
export interface ShownText {
  readonly text: string
  readonly className: string
  readonly color: readonly number[]
  /** The background of the nearest ancestor that has one. */
  readonly background: readonly number[]
  readonly contrast: number
}

/** Every visible text inside `selector`, with the contrast of WCAG 2. */
export const readTexts = (page: Page, selector: string): Promise<readonly ShownText[]> =>
  page.evaluate(readInPage, selector)

/** The page's own background, as the browser paints it. */
export const readColor = (page: Page, selector: string, property: string): Promise<readonly number[]> =>
  page.evaluate(readColorInPage, { selector, property })

/** Computed colours have several notations: a canvas paints each as bytes. */
function readColorInPage({ selector, property }: { selector: string; property: string }): readonly number[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  context.fillStyle = getComputedStyle(document.querySelector(selector)!).getPropertyValue(property)
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data]
}

function readInPage(selector: string): readonly ShownText[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  const toBytes = (color: string): number[] => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    return [...context.getImageData(0, 0, 1, 1).data]
  }
  const backgroundOf = (element: Element | null): number[] => {
    if (element === null) return [0, 0, 0, 0]
    const color = toBytes(getComputedStyle(element).backgroundColor)
    return color[3] === 0 && !element.matches('dialog') ? backgroundOf(element.parentElement) : color
  }
  const luminance = ([red = 0, green = 0, blue = 0]: readonly number[]): number => {
    const [r = 0, g = 0, b = 0] = [red, green, blue]
      .map((byte) => byte / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrastOf = (first: readonly number[], second: readonly number[]): number => {
    const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  return [...document.querySelectorAll(`${selector}, ${selector} *`)]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .filter((element) => element.getClientRects().length > 0 && !element.matches('.vc-visually-hidden'))
    .map((element) => {
      const [color, background] = [toBytes(getComputedStyle(element).color), backgroundOf(element)]
      const text = element.textContent
      return { text, className: element.className, color, background, contrast: contrastOf(color, background) }
    })
}
