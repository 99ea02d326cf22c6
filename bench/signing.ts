import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { createDevnode, type Devnode } from '../src/devnode/index.js'
import { createChainEngine } from '../src/engine/engine.js'
import type { KeypairInfo } from '../src/model/keys.js'
import { light } from '../src/sdk/light/light.js'
import { servePage } from '../test/setup/built-page.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const INPUTS = 1000
const OUTPUTS_PER_PAYMENT = 250
const ROUNDS = 3
/** Sompi of each UTXO: its storage mass allows 250 outputs in a transaction. */
const AMOUNT = 1_000_000_000n

/** Ms, on two cores. */
const CHROMIUM_LIMIT = 1500
const NODE_LIMIT = 2500
const TASK_LIMIT = 50

/** A payment of 1,000 inputs signed by `light`: the time until it is signed, and the longest task of the page. */
export const run = async (): Promise<BenchRow[]> => [...(await inChromium()), await inNode()]

async function inChromium(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [toRow('sign 1,000 inputs in Chromium', NaN, CHROMIUM_LIMIT, missing)]
  const devnode = await createDevnode({ blockInterval: 0, balance: 10n ** 14n })
  const browser = await openBrowser()
  try {
    const rounds: Sample[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await samplePage(browser, devnode))
    const [signed, longest] = [median(rounds.map((each) => each.signed)), median(rounds.map((each) => each.longest))]
    const workers = `${rounds[0]?.workers ?? 0} workers, median of ${ROUNDS}`
    return [
      toRow('plan and sign 1,000 inputs by send() in Chromium', signed, CHROMIUM_LIMIT, workers),
      toRow('longest task of the page during send()', longest, TASK_LIMIT, `tasks above 50 ms; median of ${ROUNDS}`),
    ]
  } finally {
    await browser.close()
    await devnode.close()
  }
}

interface Sample {
  /** Ms from the call of `sweep()` to `onSigned`. */
  readonly signed: number
  /** Ms; 0 where no task was longer than 50 ms. */
  readonly longest: number
  readonly workers: number
}

/** A new page sweeps a new account with 1,000 UTXOs. */
async function samplePage(browser: Browser, devnode: Devnode): Promise<Sample> {
  const keypair = await fundAccount(devnode)
  const built = await servePage(pageOf(devnode.urls.borsh, keypair))
  const page = await browser.newPage()
  let workers = 0
  page.on('worker', () => workers++)
  try {
    await page.goto(built.url)
    await page.waitForFunction('window.sweep !== undefined')
    const { signed, longest } = await page.evaluate<Omit<Sample, 'workers'>>('sweep()')
    return { signed, longest, workers }
  } finally {
    await page.close()
    built.close()
  }
}

const file = (path: string): string => JSON.stringify(resolve('src', path))

const pageOf = (url: string, { address, privateKeyHex }: KeypairInfo): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  const engine = createChainEngine({ network: 'simnet', url: '${url}', sdk: light })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const entries = await engine.rpc.getUtxosByAddresses(['${address}'])
  window.sweep = async () => {
    let longest = 0
    let signed = 0
    const note = (list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }
    const observer = new PerformanceObserver(note)
    observer.observe({ type: 'longtask' })
    const start = performance.now()
    const settings = { entries, to: '${address}', privateKeys: ['${privateKeyHex}'] }
    await engine.transactions.sweep(settings, { onSigned: () => { signed = performance.now() - start } })
    await new Promise((resolve) => setTimeout(resolve, 200)) // entries are queued in a task of their own
    return { signed, longest }
  }
`

/** A new account with 1,000 UTXOs. */
async function fundAccount(devnode: Devnode): Promise<KeypairInfo> {
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const keypair = engine.keys.generateKeypair('simnet')
  const [from] = devnode.accounts
  if (from === undefined) throw new Error('A devnode has accounts')
  for (let made = 0; made < INPUTS; made += OUTPUTS_PER_PAYMENT) {
    await engine.transactions.send({
      entries: await engine.rpc.getUtxosByAddresses([from.address]),
      outputs: Array.from({ length: OUTPUTS_PER_PAYMENT }, () => ({ address: keypair.address, amount: AMOUNT })),
      changeAddress: from.address,
      privateKeys: [from.privateKeyHex],
    })
    await devnode.mine(2)
  }
  await engine.dispose()
  return keypair
}

/** The signatures alone, with the built package: its worker is a file of its own. */
async function inNode(): Promise<BenchRow> {
  const what = 'sign 1,000 hashes in Node'
  const built = join('dist', 'light.js')
  if (!existsSync(built)) return toRow(what, NaN, NODE_LIMIT, 'skipped, needs `npm run build`')
  const { light: packed } = (await import(pathToFileURL(resolve(built)).href)) as { light: typeof light }
  let threads = 0
  process.on('worker', () => threads++)
  const port = await packed.loadPort()
  const hashes = Array.from({ length: INPUTS }, (_, at) => new Uint8Array(32).fill(at % 256))
  const times: number[] = []
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await port.signHashesAsync?.([{ privateKey: '33'.repeat(32), hashes }])
    times.push(performance.now() - start)
  }
  const { user, system } = process.cpuUsage(before)
  const cpu = ((user + system) / 1000 / ROUNDS).toFixed(0)
  return toRow(what, median(times), NODE_LIMIT, `${cpu} ms of CPU, ${threads} threads in ${ROUNDS} rounds`)
}

const toRow = (what: string, ms: number, limit: number, detail: string): BenchRow => ({
  what: `${what}, \`light\``,
  against: `its limit, ${limit} ms`,
  ratio: ms / limit,
  goal: '≤ 1 ×',
  met: ms <= limit,
  detail: `${ms.toFixed(0)} ms; ${detail}`,
})
