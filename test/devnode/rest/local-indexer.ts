import type { HttpResponse } from '../../../src/devnode/http.js'
import { createLedger, type Utxo, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import { createLiveLedger } from '../../../src/devnode/live-ledger.js'
import { createRest } from '../../../src/devnode/rest/rest.js'

/** The time of most recordings, Unix milliseconds. */
export const RECORDING_TIME = 1_795_234_400_000

export interface LocalIndexer {
  readonly ledger: Ledger
  /** Advances the clock by `ms`. */
  advance(ms: number): void
  mine(count?: number, parallel?: number): readonly string[]
  /** Replaces the newest chain blocks. */
  reorg(depth: number): void
  request(
    method: string,
    target: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<HttpResponse>
  /** The parsed body of a response. */
  read(method: string, target: string, body?: object): Promise<unknown>
}

/** The REST API over a new ledger, at the time of the recordings. */
export function createLocalIndexer(genesisUtxos: readonly Utxo[] = []): LocalIndexer {
  let now = RECORDING_TIME
  const ledger = createLedger({ genesisUtxos, faucet: 10n ** 15n })
  const live = createLiveLedger(ledger, () => now)
  const rest = createRest(live, { version: '2.1.0', p2pId: 'local' })
  const indexer: LocalIndexer = {
    ledger,
    advance: (ms) => (now += ms),
    mine: (count = 1, parallel = 1) => live.apply((network, time) => network.mine({ now: time, count, parallel })),
    reorg: (depth) => void live.apply((network, time) => network.reorg({ now: time, depth })),
    request: async (method, target, body = '', headers = {}) => {
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
      JSON.parse((await indexer.request(method, target, body && JSON.stringify(body))).body ?? 'null') as unknown,
  }
  return indexer
}
