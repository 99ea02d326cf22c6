import { createMemoryDevnode, type MemoryDevnode } from '../../../src/devnode/memory/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { light } from '../../../src/light/index.js'
import { createAttemptStore, type AttemptStore } from '../../../src/x402/client/attempts.js'
import { createKaspaClient, type KaspaClient, type KaspaClientSettings } from '../../../src/x402/client/kaspa-client.js'
import { createKaspaFacilitator, type KaspaFacilitator } from '../../../src/x402/server/facilitator.js'
import type { KaspaFacilitatorOptions } from '../../../src/x402/server/options.js'
import { createMemoryX402Store, type X402Store } from '../../../src/x402/stores/store.js'

export const KAS = 100_000_000n
export const PRICE = KAS / 2n

/** A network in memory with a merchant and an agent. */
export interface Market {
  readonly devnode: MemoryDevnode
  readonly payTo: string
  readonly agent: { readonly address: string; readonly privateKeyHex: string }
  engine(options?: ChainEngineOptions): Promise<ChainEngine>
  facilitator(
    store?: X402Store,
    options?: Partial<KaspaFacilitatorOptions>,
  ): Promise<KaspaFacilitator & { readonly engine: ChainEngine }>
  client(store?: AttemptStore, options?: Partial<KaspaClientSettings>): Promise<KaspaClient>
  /** Mines whenever the mempool has something, and further blocks, until the market ends. */
  mineAlways(): void
  end(): Promise<void>
}

/** Blocks on demand: `mineAlways`, or by the test. */
export async function openMarket({ blockInterval = 0 } = {}): Promise<Market> {
  const devnode = createMemoryDevnode({ blockInterval, accounts: 3, balance: 1_000n * KAS })
  const [agent, merchant] = devnode.accounts
  if (agent === undefined || merchant === undefined) throw new Error('The devnode has no accounts')
  await devnode.mine(2)
  const ends: (() => Promise<unknown>)[] = []
  let timer: NodeJS.Timeout | undefined
  const engine = async (options: ChainEngineOptions = {}): Promise<ChainEngine> => {
    const fixed = { ...devnode.engineOptions, sdk: light, reconnect: { maxRetries: Infinity } }
    const created = createChainEngine({ ...options, ...fixed })
    ends.push(() => created.dispose())
    await created.connection.connect()
    return created
  }
  return {
    devnode,
    payTo: merchant.address,
    agent,
    engine,
    async facilitator(store = createMemoryX402Store(), options = {}) {
      const own = options.engine ?? (await engine())
      const facilitator = createKaspaFacilitator({ finality: 1, store, ...options, engine: own })
      ends.unshift(() => facilitator.close())
      return { ...facilitator, engine: own }
    },
    async client(store = createAttemptStore(), options = {}) {
      const own = options.engine ?? (await engine())
      await own.wasm.init()
      return createKaspaClient({
        ...{ store, maxPerDay: 100n * KAS, privateKey: agent.privateKeyHex },
        ...options,
        engine: own,
      })
    },
    mineAlways() {
      timer ??= setInterval(() => void devnode.mine(), 30)
    },
    async end() {
      clearInterval(timer)
      for (const end of ends) await end()
      await devnode.close()
    },
  }
}
