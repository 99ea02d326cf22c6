import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { contentWidth, serveSite, SITE, THEMES } from './site.js'

const site = serveSite()

/** The first screen of a laptop and of a phone. */
const SCREENS = [
  [1280, 800],
  [390, 844],
] as const

const views = SCREENS.flatMap(([width, height]) => THEMES.map((theme) => [width, height, theme] as const))

/** What an element has shown since the call. */
async function recordTexts(element: Locator): Promise<() => Promise<string>> {
  const texts = await element.evaluateHandle((node) => {
    const shown = [node.textContent]
    new MutationObserver(() => shown.push(node.textContent)).observe(node, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    return shown
  })
  return () => texts.evaluate((shown) => shown.join('\n'))
}

/** The most elements of a selector that were in another at a time since the call: blocks leave the drawing. */
async function recordMost(element: Locator, selector: string): Promise<() => Promise<number>> {
  const most = await element.evaluateHandle((node, wanted) => {
    const seen = { count: node.querySelectorAll(wanted).length }
    const look = (): void => void (seen.count = Math.max(seen.count, node.querySelectorAll(wanted).length))
    new MutationObserver(look).observe(node, { subtree: true, childList: true, attributes: true })
    return seen
  }, selector)
  return () => most.evaluate(({ count }) => count)
}

/** The start page, once its network runs. */
async function open(width: number, height: number, theme: (typeof THEMES)[number]) {
  const { page, problems } = await site.visit('/', width, theme)
  await page.setViewportSize({ width, height })
  const output = page.getByTestId('output')
  await output.getByText('0 KAS received').waitFor()
  return { page, problems, output, press: (name: string) => page.getByRole('button', { name, exact: true }).click() }
}

const bottomOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().bottom)

describe.each(views)('the start page at %i × %i in %s', (width, height, theme) => {
  it('shows a payment on its way through a dropped connection and a reorg', async () => {
    const { page, problems, output, press } = await open(width, height, theme)
    const [dag, payment] = [page.getByTestId('dag'), page.getByTestId('payment')]
    const [connections, payments] = await Promise.all([recordTexts(page.getByTestId('status')), recordTexts(payment)])
    await press('Drop connection')
    await expect.poll(connections).toContain('reconnecting')
    await page.getByTestId('status').getByText('connected', { exact: true }).waitFor()
    await press('Pay 5 KAS')
    await output.getByText('5 KAS received').waitFor()
    await payment.getByText(/accepted, \d+ confirmations/).waitFor()
    await expect.poll(payments).toContain('in the mempool')
    await expect.poll(() => dag.locator('circle').count()).toBeGreaterThan(0)
    const removed = await recordMost(dag, 'rect.removed')
    await press('Reorg')
    await expect.poll(removed).toBeGreaterThan(2)
    await output.getByText('5 KAS received').waitFor()
    expect(await violations(page)).toEqual([])
    await page.screenshot({ path: `test-results/start-${theme}-${width}.png` })
    await page.screenshot({ path: `test-results/start-${theme}-${width}-full.png`, fullPage: true })
    expect(problems).toEqual([])
    await page.close()
  })

  it('has headline, commands, code, result and network whole on the first screen', async () => {
    const { page } = await open(width, height, theme)
    expect(await contentWidth(page)).toBeLessThanOrEqual(width)
    expect(await bottomOf(page, '.demo')).toBeLessThanOrEqual(height)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('.start-screen :is(h1, p, button, code, a)')]
        .filter(
          (element) => element.scrollWidth > element.clientWidth && getComputedStyle(element).display !== 'inline',
        )
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    await page.close()
  })
})

it('is no wider than the smallest phone', async () => {
  const { page } = await open(360, 800, 'light')
  expect(await contentWidth(page)).toBeLessThanOrEqual(360)
  await page.close()
})

it('offers the commands of each package manager, by the keyboard too', async () => {
  const { page } = await open(1280, 800, 'light')
  const commands = page.getByTestId('install')
  await page.getByRole('tab', { name: 'pnpm' }).click()
  await commands.filter({ hasText: 'pnpm create vue-chain my-app' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await commands.filter({ hasText: 'yarn create vue-chain my-app' }).waitFor()
  await page.getByRole('tab', { name: 'yarn', selected: true }).waitFor()
  await page.close()
})

it('loads its network after the first paint, apart from the code of the page', async () => {
  const html = readFileSync(join(SITE, 'index.html'), 'utf8')
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file)
  expect(first.length).toBeGreaterThan(1)
  const isNetwork = (file: string): boolean =>
    readFileSync(join(SITE, file), 'utf8').includes('No devnode in memory serves')
  expect(first.filter(isNetwork)).toEqual([])
  const { page } = await open(1280, 800, 'light')
  const loaded = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    return scripts.map(({ name, startTime }) => ({
      file: new URL(name).pathname.slice(1),
      afterPaint: startTime > (paint?.startTime ?? Infinity),
    }))
  })
  const ofNetwork = loaded.filter(({ file }) => isNetwork(file))
  expect(ofNetwork.length).toBeGreaterThan(0)
  expect(ofNetwork.filter(({ afterPaint }) => !afterPaint)).toEqual([])
  await page.close()
})

it('has an icon, and an image for links from other sites', () => {
  const html = readFileSync(join(SITE, 'index.html'), 'utf8')
  const [, image = ''] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? []
  const png = readFileSync(join(SITE, image))
  expect(png.subarray(1, 4).toString()).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  const [, icon = ''] = /<link rel="icon"[^>]* href="([^"]+)"/.exec(html) ?? []
  expect(readFileSync(join(SITE, icon), 'utf8')).toContain('<svg')
})

/** The reasons of the start page: their texts, each with the page that proves it. */
function reasonsOf(markdown: string) {
  const [, section = ''] = /^## Three reasons$([\s\S]*?)^## /m.exec(markdown) ?? []
  return [...section.matchAll(/^<p class="figure">([\s\S]*?)\]\(\.\/(\w[\w-]*\.md)/gm)].map(
    ([, text = '', proof = '']) => ({ text, proof }),
  )
}

it('names no figure that the page behind it does not have', () => {
  const docs = resolve(import.meta.dirname, '../../docs')
  const reasons = reasonsOf(readFileSync(join(docs, 'index.md'), 'utf8'))
  expect(reasons).toHaveLength(3)
  const unproven = reasons.flatMap(({ text, proof }) => {
    const source = readFileSync(join(docs, proof), 'utf8')
    const figures = (text.match(/[\d.,]+(?: (?:ms|kB|s|lost|doubled|faults)\b)?/g) ?? []).filter((one) =>
      /\d/.test(one),
    )
    expect(figures.length).toBeGreaterThan(0)
    // tables have kB in their head
    const isThere = (figure: string): boolean => source.includes(figure.replace(/ kB$/, ''))
    return figures.filter((figure) => !isThere(figure)).map((figure) => `${proof}: ${figure}`)
  })
  expect(unproven).toEqual([])
})
