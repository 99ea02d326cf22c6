import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { browserMissing, openBrowser } from './lib/chromium.js'
import { median } from './lib/median.js'
import { read, serveTabs, type TabsOptions } from './lib/open-tabs.js'
import type { BenchRow } from './row.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { servedChain } from './wire/served-chain.js'
import { startStubServer, type StubUsage } from './wire/stub-server.js'
import { addressesOf, utxos } from './wire/utxos.js'

const TABS = 5
const UTXOS = 100_000
const ROUNDS = 5
/** Ms. */
const LIMIT = 400

/** What five tabs of Chromium cost a node, and how fast the second one has its UTXOs. */
export async function run(): Promise<BenchRow[]> {
  const missing = browserMissing()
  if (missing !== undefined) return [skipped(missing)]
  const entries = utxos(UTXOS)
  const [browser, node] = [
    await openBrowser(),
    await startStubServer(createBorshCodec(), {
      responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries } },
      chain: servedChain(0, 1),
    }),
  ]
  const page = await serveTabs(browser, addressesOf(entries))
  const measure = async (connection: TabsOptions['connection'], rounds: number): Promise<Cost> => {
    const times: number[] = []
    let [sockets, subscriptions, bytes] = [0, 0, 0]
    for (let round = 0; round < rounds; round++) {
      const tabs = await page.openTabs({ node: node.url, network: 'testnet-10', connection })
      const before = await node.usage()
      await tabs.open()
      const first = await node.usage()
      times.push(await read(await tabs.open(), 'fresh'))
      const second = await node.usage()
      bytes = second.bytes - first.bytes
      const more = round === 0 ? TABS - 2 : 0 // the node's part is the same in each round
      for (let tab = 0; tab < more; tab++) await tabs.open()
      const after = await node.usage()
      if (round === 0) [sockets, subscriptions] = [after.clients - before.clients, placed(after) - placed(before)]
      await tabs.close()
      while ((await node.usage()).clients > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return { sockets, subscriptions, bytes, ms: median(times) }
  }
  try {
    const [shared, own] = [await measure('shared', ROUNDS), await measure('own', ROUNDS)]
    return [
      countRow('sockets', shared.sockets, own.sockets, 1),
      countRow('subscriptions', shared.subscriptions, own.subscriptions, 4),
      {
        what: `a second tab with ${UTXOS.toLocaleString('en')} UTXOs, from the navigation until they are fresh`,
        against: 'the same with a socket of its own',
        ratio: shared.ms / own.ms,
        goal: `≤ ${LIMIT} ms, none of them from the node`,
        met: shared.ms <= LIMIT && shared.bytes < SMALL,
        detail: `${shared.ms.toFixed(0)} ms and ${toKb(shared.bytes)} from the node against ${own.ms.toFixed(0)} ms and ${toKb(own.bytes)}, median of ${ROUNDS}`,
      },
    ]
  } finally {
    await browser.close()
    page.close()
    node.close()
  }
}

/** Bytes: less than one UTXO of each address. */
const SMALL = 10_000

const toKb = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} kB`

interface Cost {
  readonly sockets: number
  readonly subscriptions: number
  /** From the node for the second tab. */
  readonly bytes: number
  /** Of the second tab, until its UTXOs are fresh. */
  readonly ms: number
}

const placed = ({ requests }: StubUsage): number => requests('subscribe')

const countRow = (what: string, shared: number, own: number, limit: number): BenchRow => ({
  what: `${what} at the node of ${TABS} tabs of Chromium`,
  against: 'the same without `shared`',
  ratio: shared / own,
  goal: `≤ ${limit}`,
  met: shared <= limit,
  detail: `${shared} against ${own}`,
})

const skipped = (detail: string): BenchRow => ({ ...countRow('sockets', Number.NaN, Number.NaN, 1), detail })
