import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import type { RequestedPayment } from '../../src/streams/requests/requests.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { FULL } from '../full.js'
import { KAS, accountKeys, payment, toText } from '../cosigning/cosigners.js'
import { violations } from './axe.js'
import { takeScreenshot } from './browser.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))
const STYLE = [
  'components/style/1-tokens.css',
  'components/style/2-controls.css',
  'requests/style.css',
  'cosigning/style.css',
]
  .map((path) => readFileSync(resolve(import.meta.dirname, '../../src/adapters/vue', path), 'utf8'))
  .join('\n')

/** Of a page, for the links of its texts. */
const PROSE = '.prose a, .prose a:hover { color: #808080; text-decoration: underline }'

/** A page that shows the stored request of its URL, as an order's page does, or the payment of several signers. */
const pageOf = ({ urls }: Devnode): string => `
  import { createApp, h, shallowRef } from 'vue'
  import jsqr from 'jsqr'
  import { VueChain } from ${file('index.ts')}
  import { ReceivePayment } from ${file('adapters/vue/requests/index.ts')}
  import { CosignReview, useCosigning } from ${file('adapters/vue/cosigning/index.ts')}
  const { theme = 'light', ...request } = JSON.parse(decodeURIComponent(location.hash.slice(1) || 'null')) ?? {}
  document.head.append(Object.assign(document.createElement('style'), { textContent: ${JSON.stringify(`${STYLE}\n${PROSE}`)} }))
  document.documentElement.style.colorScheme = theme
  document.body.style = 'margin: 0; font-family: system-ui; background: Canvas'
  document.documentElement.lang = 'en'
  document.title = 'Order 42'
  window.events = []
  const on = (event) => ({ status }) => window.events.push(event + ' ' + status)
  window.readCode = async (png) => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + png
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    const context = canvas.getContext('2d')
    context.drawImage(image, 0, 0)
    return jsqr(context.getImageData(0, 0, image.width, image.height).data, image.width, image.height)?.data
  }
  const listeners = { onPaid: on('paid'), onConfirmed: on('confirmed'), onExpired: on('expired') }
  const Treasury = {
    setup() {
      const account = shallowRef(null)
      const { accountFromDescriptor, open, proposal } = useCosigning(account)
      accountFromDescriptor(request.descriptor).then((created) => {
        account.value = created
        return open(request.text, { offline: true, reserveFor: 0 })
      })
      return () => h(CosignReview, { proposal: proposal.value })
    },
  }
  createApp({
    render: () => h('main', { class: 'prose', style: 'display: grid; justify-items: center; gap: 16px; padding: 16px 0' }, [
      h('h1', { style: 'font: 600 18px system-ui; margin: 0' }, 'Order 42'),
      request.descriptor ? h(Treasury) : h(ReceivePayment, { request: request.address ? request : null, ...listeners }),
    ]),
  })
    .use(VueChain, { network: 'simnet', url: '${urls.borsh}', reconnect: { maxRetries: Infinity } })
    .mount(document.body.appendChild(document.createElement('div')))
`

declare global {
  interface Window {
    events: string[]
    readCode(png: string): Promise<string | undefined>
  }
}

let devnode: Devnode
let engine: ChainEngine
let pages: PagesOfOneProfile
let startIndex = 100
beforeAll(async () => {
  devnode = await createDevnode({ accounts: 0, blockInterval: 0 })
  engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  await engine.connection.connect()
  pages = await servePages(pageOf(devnode))
})
afterAll(async () => {
  await pages.close()
  await engine.dispose()
  await devnode.close()
})

async function create(): Promise<RequestedPayment> {
  const account = await engine.accounts.fromExtendedPublicKey(vectors[5]!.kpub, { startIndex: startIndex++ })
  return engine.requests.create({
    account,
    amount: 1_250_000_000n,
    confirmations: 5,
    label: 'Shop',
    message: 'Order 42',
  })
}

/** Pays in a block that the next one accepts. */
async function pay({ address }: RequestedPayment, amount: bigint): Promise<string> {
  const id = await devnode.fund(address, amount)
  await devnode.mine()
  return id
}

async function show({ stored }: RequestedPayment, { width = 1280, theme = 'light' } = {}): Promise<Page> {
  const page = await pages.open()
  onTestFinished(() => page.close())
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate((hash) => (location.hash = hash), encodeURIComponent(JSON.stringify({ ...stored, theme })))
  await page.reload()
  return page
}

const text = (page: Page, content: string | RegExp) => page.getByText(content).first().waitFor()
const minedUntil = async (page: Page, content: string): Promise<void> => {
  const isShown = async () => {
    await devnode.mine()
    return page.getByText(content).first().isVisible()
  }
  await expect.poll(isShown).toBe(true)
}

const readCode = async (page: Page): Promise<string | undefined> => {
  const png = await page.locator('.vc-qr-frame').screenshot()
  return page.evaluate((code) => window.readCode(code), png.toString('base64'))
}

const views: readonly { readonly width: number; readonly theme: 'light' | 'dark' }[] = [
  { width: 320, theme: 'light' },
  { width: 390, theme: 'dark' },
]

describe('<ReceivePayment>', () => {
  const more: typeof views = [
    { width: 390, theme: 'light' },
    { width: 1280, theme: 'dark' },
    { width: 1280, theme: 'light' },
  ]
  it.each(FULL ? [...views, ...more] : views)(
    'shows a code that scanners read, without findings of axe, at $width pixels in $theme',
    async ({ width, theme }) => {
      const request = await create()
      const page = await show(request, { width, theme })
      await page.getByRole('img', { name: /^Payment of 12.5 SKAS to kaspasim:q/ }).waitFor()
      await minedUntil(page, 'Waiting for your payment')
      expect(await readCode(page)).toBe(request.uri)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await takeScreenshot(page, `receive-${theme}-${width}`)
    },
  )

  it('shows the same in two tabs, after a reload, offline and after a reorg, until nothing is left to pay', async () => {
    const request = await create()
    const [page, other] = [await show(request), await show(request, { width: 390, theme: 'dark' })]
    await minedUntil(page, 'Waiting for your payment')
    await minedUntil(other, 'Waiting for your payment')
    await pay(request, 500_000_000n)
    for (const one of [page, other]) await text(one, '5 SKAS received, 7.5 SKAS left to pay')
    expect(await readCode(page)).toBe(request.uri.replace('12.5', '7.5'))
    await page.reload()
    await minedUntil(page, '5 SKAS received, 7.5 SKAS left to pay')

    await pages.context.setOffline(true)
    await text(page, 'No connection: this may be out of date')
    await pages.context.setOffline(false)
    const before = devnode.expected.chain().length
    const last = await pay(request, 800_000_000n)
    await minedUntil(page, 'Paid')
    await text(page, '0.5 SKAS more than requested')
    await minedUntil(page, 'Payment confirmed')
    expect(await page.evaluate(() => window.events)).toEqual(['paid paid', 'confirmed confirmed'])
    expect(await page.locator('.vc-qr-frame').count()).toBe(0)
    await text(other, 'Payment confirmed')
    expect(await violations(page)).toEqual([])
    await takeScreenshot(other, 'receive-confirmed-dark-390')

    await devnode.reorg({ depth: devnode.expected.chain().length - before, drop: [last] })
    await minedUntil(page, 'The network took an earlier payment back.')
    await text(page, '5 SKAS received, 7.5 SKAS left to pay')
    await takeScreenshot(page, 'receive-reverted-light-1280')
    expect(pages.problems.filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })
})

describe('<CosignReview>', () => {
  const { value } = accountKeys({ threshold: 2, count: 3 })
  const path = { cosigner: 0, change: false, index: 0 }
  const entry = fixtures.utxo({
    outpoint: { transactionId: 'ab'.repeat(32), index: 0 },
    amount: 10n * KAS,
    scriptPublicKey: value.scriptPublicKey(path),
    address: value.addressAt(path),
  })
  const recipient = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

  it.each(views)(
    'shows what is signed, without findings of axe, at $width pixels in $theme',
    async ({ width, theme }) => {
      const page = await pages.open()
      await page.setViewportSize({ width, height: 800 })
      const shown = { descriptor: value.descriptor, text: toText(payment({ value }, [entry], recipient)), theme }
      await page.evaluate((hash) => (location.hash = hash), encodeURIComponent(JSON.stringify(shown)))
      await page.reload()
      await page.getByRole('group', { name: 'Payment to sign' }).waitFor()
      await text(page, recipient)
      await text(page, 'No node has confirmed the amounts')
      expect(await page.getByRole('list', { name: 'Signatures' }).getByRole('listitem').count()).toBe(3)
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await takeScreenshot(page, `cosign-${theme}-${width}`)
      await page.close()
    },
  )
})
