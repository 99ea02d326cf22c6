import { resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { createDevnode } from '../src/devnode/index.js'
import { bundlePage } from './lib/page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { serveCompressed, throttle, urlOf } from './lib/throttled.js'
import { recordWaterfall, type Waterfall } from './lib/waterfall.js'
import type { BenchRow } from './row.js'

const ROUNDS = 5
const LIMIT = 0.2

const ROOT = resolve(import.meta.dirname, '..', '..')
const source = (path: string): string => JSON.stringify(resolve(ROOT, path))

/** Ours: the plugin and a live ref. The WASM module loads afterwards. */
const ours = (url: string): string => `
  import { createApp, defineComponent, h } from 'vue'
  import { VueChain, useRpc } from ${source('dist/index.js')}
  const App = defineComponent(() => {
    const { virtualDaaScore } = useRpc()
    return () => h('p', { id: virtualDaaScore.value > 0n ? 'live' : 'waiting' }, String(virtualDaaScore.value))
  })
  createApp(App).use(VueChain, { network: 'simnet', url: ${JSON.stringify(url)} }).mount('#app')
`

/** The SDK alone: loads the WASM module, then connects by its client. */
const theirs = (url: string): string => `
  import init, { RpcClient } from ${source('dist/sdk/kaspa.js')}
  import { createApp, defineComponent, h, shallowRef } from 'vue'
  const score = shallowRef(0n)
  createApp(defineComponent(() => () => h('p', { id: score.value > 0n ? 'live' : 'waiting' }, String(score.value)))).mount('#app')
  await init()
  const rpc = new RpcClient({ url: ${JSON.stringify(url)}, networkId: 'simnet' })
  rpc.addEventListener('virtual-daa-score-changed', (event) => { score.value = event.data.virtualDaaScore })
  await rpc.connect()
  await rpc.subscribeVirtualDaaScoreChanged()
  score.value = (await rpc.getServerInfo()).virtualDaaScore
`

/** The first live DAA score on a cold, throttled page: ours against the SDK, in bytes, time and round trips. */
export async function run(): Promise<BenchRow[]> {
  const against = 'load WASM, then connect by RpcClient (20 Mbit/s, 40 ms, gzip)'
  const goal = `≤ ${LIMIT} ×`
  const detail = browserMissing()
  if (detail !== undefined) {
    return [{ what: 'first live DAA score on screen', against, goal, ratio: NaN, met: false, detail }]
  }
  const devnode = await createDevnode({ blockInterval: 250, accounts: 1 })
  const browser = await openBrowser()
  try {
    const us = await measure(browser, ours(devnode.urls.borsh))
    const them = await measure(browser, theirs(devnode.urls.borsh))
    const row = (what: string, a: number, b: number, unit: string, limit = LIMIT): BenchRow => ({
      what: `first live DAA score on screen, ${what}`,
      against,
      ratio: a / b,
      goal: `≤ ${limit} ×`,
      met: a / b <= limit,
      detail: `${a.toFixed(0)} ${unit} against ${b.toFixed(0)} ${unit}, median of ${ROUNDS}`,
    })
    return [
      row('time', us.ms, them.ms, 'ms'),
      row('bytes', us.bytes / 1000, them.bytes / 1000, 'kB'),
      row('sequential round trips until its request', us.roundTrips, them.roundTrips, `of ${us.requests} requests`, 1),
    ]
  } finally {
    await browser.close()
    await devnode.close()
  }
}

interface FirstValue extends Waterfall {
  readonly ms: number
  /** Bytes received when the score was painted. */
  readonly bytes: number
}

async function measure(browser: Browser, code: string): Promise<FirstValue> {
  const page = await bundlePage(code)
  const server = await serveCompressed(page.folder)
  const url = urlOf(server)
  try {
    const rounds: FirstValue[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await once(browser, url))
    const medianOf = (name: keyof FirstValue): number => median(rounds.map((round) => round[name]))
    return {
      ms: medianOf('ms'),
      bytes: medianOf('bytes'),
      requests: medianOf('requests'),
      roundTrips: medianOf('roundTrips'),
    }
  } finally {
    server.close()
    page.remove()
  }
}

/**
 * Records in the page when the score was painted: two frames after its insertion. A call from outside would queue
 * behind the next tasks of the page.
 */
const OBSERVE_PAINT = `
  new MutationObserver((_, observer) => {
    if (document.querySelector('#live') === null) return
    observer.disconnect()
    requestAnimationFrame(() => requestAnimationFrame(() => { window.paintedAt = performance.now() }))
  }).observe(document, { subtree: true, childList: true, attributes: true })
`

/** One cold load in its own browser context, until the score is painted. */
async function once(browser: Browser, url: string): Promise<FirstValue> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const waterfall = recordWaterfall(session)
  const bytes = await throttle(session)
  await page.addInitScript(OBSERVE_PAINT)
  await page.goto(url, { waitUntil: 'commit' })
  const painted = await page.waitForFunction<number>('window.paintedAt')
  const ms = await painted.jsonValue()
  const firstValue = { ms, bytes: bytes(), ...waterfall() }
  await context.close()
  return firstValue
}
