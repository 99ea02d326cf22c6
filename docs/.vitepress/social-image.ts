import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'

/** The image that other sites show beside a link, in CSS pixels. */
export const SOCIAL_IMAGE = { file: 'social.png', width: 1200, height: 630 } as const
const TOUCH_ICON = { file: 'apple-touch-icon.png', size: 180 } as const

const ACCENT = '#5eead4'
const BACKGROUND = '#0b1f1d'

const fontOf = (weight: 400 | 700) => ({
  name: 'Inter',
  weight,
  data: readFileSync(
    createRequire(import.meta.url).resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`),
  ),
})

/** Writes the images of the site into its folder. */
export async function writeImages(folder: string, { title, text }: { title: string; text: string }): Promise<void> {
  const { width, height } = SOCIAL_IMAGE
  const svg = await satori(card(title, text), { width, height, fonts: [fontOf(400), fontOf(700)] })
  writeFileSync(join(folder, SOCIAL_IMAGE.file), toPng(svg, width))
  writeFileSync(join(folder, TOUCH_ICON.file), toPng(mark(BACKGROUND, 8), TOUCH_ICON.size))
}

const toPng = (svg: string, width: number): Uint8Array =>
  new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng()

/** What satori lays out: an element of React, as a plain object. */
interface Element {
  readonly type: string
  readonly key: null
  readonly props: { readonly style?: Readonly<Record<string, string | number>>; readonly [name: string]: unknown }
}

const element = (type: string, style: Readonly<Record<string, string | number>>, rest: object): Element => ({
  type,
  key: null,
  props: { style, ...rest },
})

const image = (svg: string, style: Readonly<Record<string, string | number>>): Element =>
  element('img', style, { src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}` })

const card = (title: string, text: string): Element =>
  element(
    'div',
    {
      display: 'flex',
      flexDirection: 'column',
      width: '100%',
      height: '100%',
      padding: 80,
      backgroundColor: BACKGROUND,
    },
    {
      children: [
        element(
          'div',
          { display: 'flex', alignItems: 'center', gap: 20, fontSize: 36, fontWeight: 700, color: '#ffffff' },
          { children: [image(mark('none', 0), { width: 56, height: 56 }), 'vue-chain'] },
        ),
        element(
          'div',
          { marginTop: 72, fontSize: 64, fontWeight: 700, letterSpacing: -2.5, lineHeight: 1.1, color: '#ffffff' },
          { children: title },
        ),
        element(
          'div',
          { marginTop: 24, maxWidth: 820, fontSize: 32, lineHeight: 1.4, color: '#b5c8c5' },
          { children: text },
        ),
        image(dag(), { position: 'absolute', right: 0, bottom: 0, width: 1200, height: 150 }),
      ],
    },
  )

/** The logo, as theme/Logo.vue draws it, with a margin in its own units of 32 to a side. */
const mark = (background: string, margin: number): string => `
  <svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${32 + 2 * margin} ${32 + 2 * margin}" width="180" height="180">
    <rect x="${-margin}" y="${-margin}" width="100%" height="100%" fill="${background}"/>
    <g fill="none" stroke="${ACCENT}" stroke-width="3">
      <path d="M8.4 10.8 13.4 21M23.6 10.8 18.6 21"/>
      <rect x="1.5" y="1.5" width="9" height="9" rx="2.5"/>
      <rect x="21.5" y="1.5" width="9" height="9" rx="2.5"/>
    </g>
    <rect x="11" y="21" width="10" height="10" rx="2.75" fill="${ACCENT}"/>
  </svg>`

/** How many blocks are beside the chain, by generation. */
const BESIDE = [0, 1, 0, 2, 1, 0, 1, 2, 0, 1, 0, 2, 1, 0, 2]
const ROWS = [0, 44, -44]

function dag(): string {
  const generations = BESIDE.map((count, index) =>
    ROWS.slice(0, count + 1).map((row) => ({ x: 40 + index * 80, y: 75 + row, row })),
  )
  const edges = generations.flatMap((blocks, index) =>
    blocks.flatMap(({ x, y, row }) =>
      (generations[index - 1] ?? []).map((parent) => {
        const isChain = row === 0 && parent.row === 0
        const middle = (x + parent.x) / 2
        return `<path d="M${x} ${y}C${middle} ${y} ${middle} ${parent.y} ${parent.x} ${parent.y}" fill="none" stroke="${isChain ? ACCENT : '#3d5f5b'}" stroke-width="${isChain ? 4 : 2}"/>`
      }),
    ),
  )
  const rects = generations
    .flat()
    .map(
      ({ x, y, row }) =>
        `<rect x="${x - 15}" y="${y - 15}" width="30" height="30" rx="8" fill="${row === 0 ? ACCENT : BACKGROUND}" stroke="${row === 0 ? ACCENT : '#5f8580'}" stroke-width="3"/>`,
    )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 150" width="1200" height="150">${edges.join('')}${rects.join('')}</svg>`
}
