import type { HttpResponse } from '../../../src/devnode/http.js'
import { createLedger, type Coin, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { createLiveLedger } from '../../../src/devnode/live-ledger.js'
import { createRest } from '../../../src/devnode/rest/rest.js'

/** The moment at which most of the recordings were made, Unix milliseconds. */
export const RECORDED_AT = 1_795_234_400_000

export interface LocalIndexer {
  readonly ledger: Ledger
  /** Time goes on by so many ms. */
  pass(ms: number): void
  mine(count?: number, parallel?: number): readonly string[]
  /** Replaces the last chain blocks. */
  reorg(depth: number): void
  ask(method: string, target: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<HttpResponse>
  /** The body of an answer, parsed. */
  read(method: string, target: string, body?: object): Promise<unknown>
}

/** The REST side over a ledger of its own, at the time of the recordings. */
export function createLocalIndexer(genesisCoins: readonly Coin[] = []): LocalIndexer {
  let now = RECORDED_AT
  const ledger = createLedger({ genesisCoins, faucet: 10n ** 15n })
  const live = createLiveLedger(ledger, () => now)
  const rest = createRest(live, { version: '2.1.0', p2pId: 'local' })
  const indexer: LocalIndexer = {
    ledger,
    pass: (ms) => (now += ms),
    mine: (count = 1, parallel = 1) => live.take((network, time) => network.mine({ now: time, count, parallel })),
    reorg: (depth) => void live.take((network, time) => network.reorg({ now: time, depth })),
    ask: async (method, target, body = '', headers = {}) => {
      const [path = '', ...search] = target.split('?')
      const length = String(new TextEncoder().encode(body).length)
      return rest({
        method,
        path,
        query: new URLSearchParams(search.join('?')),
        headers: {
          host: '127.0.0.1:29000',
          ...(method === 'POST' && !('transfer-encoding' in headers) && { 'content-length': length }),
          ...headers,
        },
        body,
      })
    },
    read: async (method, target, body) =>
      JSON.parse((await indexer.ask(method, target, body && JSON.stringify(body))).body ?? 'null') as unknown,
  }
  return indexer
}
