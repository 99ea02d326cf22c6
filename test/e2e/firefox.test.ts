import { existsSync } from 'node:fs'
import jsqr from 'jsqr'
import { launch, type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../scripts/demo-server.mjs'
import { FULL } from '../full.js'
import { startDemo } from './demo-harness.js'
import { FIREFOX } from './tab-browsers.js'

/** What Firefox may report of the connection that the test drops. */
const DROPPED = /The connection to ws:\S+ was interrupted/

/** No spare processes, no second compiler of WASM, no transitions. */
const PREFERENCES = {
  'dom.ipc.processPrelaunch.enabled': false,
  'browser.newtab.preload': false,
  'javascript.options.wasm_optimizingjit': false,
  'ui.prefersReducedMotion': 1,
}

/** The demo in one page of Firefox, with its console errors and uncaught exceptions. */
interface Opened {
  readonly demo: Demo
  readonly browser: Browser
  readonly page: Page
  readonly problems: readonly string[]
}

async function open(): Promise<Opened> {
  const [demo, browser] = await Promise.all([
    startDemo(),
    launch({
      browser: 'firefox',
      executablePath: FIREFOX,
      headless: true,
      timeout: 0,
      extraPrefsFirefox: PREFERENCES,
    }),
  ])
  const page = await browser.newPage()
  page.setDefaultTimeout(0)
  await page.setViewport({ width: 1280, height: 900 })
  const problems: string[] = []
  const report = (problem: string): unknown => DROPPED.test(problem) || problems.push(problem)
  page.on('console', (message) => message.type() === 'error' && report(message.text()))
  page.on('pageerror', (error) => report(String(error)))
  await page.goto(demo.url)
  return { demo, browser, page, problems }
}

function testDemo(): void {
  let demo: Demo
  let browser: Browser
  let page: Page
  let problems: readonly string[]
  beforeAll(async () => {
    ;({ demo, browser, page, problems } = await open())
  })
  afterAll(async () => {
    await browser.close()
    await demo.stop()
  })

  /** The text of the element with this `data-test`; '' where it is absent. */
  const text = (name: string): Promise<string> =>
    page.evaluate((test) => document.querySelector(`[data-test="${test}"]`)?.textContent.trim() ?? '', name)
  const score = async (): Promise<number> => Number((await text('daa-score')).replaceAll(/\D/g, ''))
  const click = (selector: string): Promise<void> => page.locator(selector).click()

  it('shows a live DAA score', async () => {
    await expect.poll(score).toBeGreaterThan(0)
    const first = await score()
    await expect.poll(score).toBeGreaterThan(first)
  })

  it('pays', async () => {
    await click('button ::-p-text(Send 12.5 KAS)')
    const reached = () =>
      page.evaluate(() =>
        document.querySelector('[data-test=payment-1] [data-test-reached]')?.getAttribute('data-test-reached'),
      )
    await expect.poll(async () => Number(await reached())).toBeGreaterThanOrEqual(3)
    await expect.poll(() => text('activity')).toContain('ours')
  })

  // Firefox computes for 32 s where all of these run
  if (FULL) {
    it('shows a payment request whose code and link are its URI, and that it is paid', async () => {
      await click('button ::-p-text(Request 5 KAS)')
      const panel = (): Promise<string> => page.evaluate(() => document.querySelector('.request')?.textContent ?? '')
      await expect.poll(panel).toContain('Waiting for your payment')
      const link = await page.evaluate(() => document.querySelector('.request a')?.getAttribute('href'))
      expect(link).toMatch(/^kaspasim:q[a-z0-9]{60,}\?amount=5(&|$)/)
      const { rgba, side } = await page.evaluate(readCode)
      expect(jsqr(Uint8ClampedArray.from(rgba), side, side)?.data).toBe(link)
      await click('button ::-p-text(Pay a half)')
      await expect.poll(panel).toContain('2.5 SKAS received, 2.5 SKAS left to pay')
      await click('button ::-p-text(Pay a half)')
      await expect.poll(panel).toContain('Payment confirmed')
    })

    it('reconnects after a drop', async () => {
      await click('button ::-p-text(Drop the connection)')
      await expect.poll(() => text('tally')).toMatch(/faults\s*[1-9]/)
      await expect.poll(() => text('connection')).toMatch(/^connected/)
      const first = await score()
      await expect.poll(score).toBeGreaterThan(first)
      await expect.poll(() => text('tally')).toMatch(/events lost\s*0\s*doubled\s*0\s*balances\s*equal to the node's/)
    })

    it('connects a wallet by the dialog', async () => {
      await click('nav a ::-p-text(Wallets)')
      await click('aria/Fake KasWare[role="switch"]')
      await click('button ::-p-text(Connect wallet)')
      await click('dialog[open] button ::-p-text(KasWare)')
      await click('button ::-p-text(Approve)')
      await expect.poll(() => text('wallet-status')).toBe('connected')
      await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
    })
  }

  it('reports no error', () => {
    expect(problems).toEqual([])
  })
}

/** Runs in the page: the pixels of the QR code, as Firefox draws its SVG. */
async function readCode(): Promise<{ readonly rgba: readonly number[]; readonly side: number }> {
  const svg = document.querySelector('.vc-qr-frame svg')
  if (svg === null) throw new Error('The page shows no code')
  const side = 300
  const copy = svg.cloneNode(true) as SVGElement
  for (const name of ['width', 'height']) copy.setAttribute(name, String(side))
  copy.setAttribute('color', 'black') // no style: the policy of the demo refuses it
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('No canvas')
  context.fillStyle = 'white'
  context.fillRect(0, 0, side, side)
  context.drawImage(image, 0, 0)
  return { rgba: [...context.getImageData(0, 0, side, side).data], side }
}

if (existsSync(FIREFOX)) describe('the demo in Firefox', testDemo)
else it.skip(`the demo in Firefox: ${FIREFOX} is missing (Debian: apt-get install firefox-esr; or set FIREFOX)`)
