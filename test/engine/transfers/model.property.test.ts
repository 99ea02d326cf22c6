import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/index.js'
import { faucetAddress } from '../../../src/devnode/ledger/steps/fund.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { RpcEncoding } from '../../../src/model/network.js'
import { createWatchedAddresses, type WatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import { FULL, runs } from '../../full.js'
import { histories, play, type HistoryEvent } from './histories.js'
import { applyBatch, NO_ROWS, faultsOf, type Rows } from './shop.js'

const BALANCE = 100_000_000_000n
const FAUCET = 10_000_000_000_000_000n
const RUNS = runs(12, 2_000)

/** An application: rows and cursor are stored as one, and it continues from them after each crash. */
class Application {
  state: Rows = NO_ROWS
  /** The addresses of the next process: those whose rows are stored. */
  stored: readonly string[]
  #running: { readonly watched: WatchedAddresses; readonly stop: () => Promise<unknown> } | undefined

  constructor(
    private readonly engine: ChainEngine,
    addresses: readonly string[],
  ) {
    this.stored = addresses
    this.start()
  }

  start(): void {
    const watched = createWatchedAddresses(this.stored)
    const batches = this.engine.followTransfers({ addresses: watched, cursor: this.state.cursor, maxBlocks: 3 })
    let isRunning = true
    const pull = async (): Promise<void> => {
      for await (const batch of batches) {
        if (!isRunning) return // killed before the batch was stored
        this.state = applyBatch(this.state, batch)
        this.stored = [...this.stored, ...batch.added]
      }
    }
    const pulling = pull()
    this.#running = {
      watched,
      stop: async () => {
        isRunning = false
        await batches.return?.()
        await pulling
      },
    }
  }

  async crash(): Promise<void> {
    await this.#running?.stop()
    this.start()
  }

  add(address: string): void {
    this.#running?.watched.add(address)
  }

  stop = async (): Promise<unknown> => this.#running?.stop()
}

async function run(history: readonly HistoryEvent[], encoding: RpcEncoding): Promise<void> {
  const node = await createDevnode({ blockInterval: 0, accounts: 3, balance: BALANCE })
  const other = await node.fork()
  const url = encoding === 'Borsh' ? node.urls.borsh : node.urls.json
  const engine = createChainEngine({ network: 'simnet', url, encoding, reconnect: { baseDelay: 1, maxDelay: 5 } })
  const [alice, bob, carol] = node.accounts.map(({ address }) => ({ address, genesis: BALANCE }))
  const faucet = { address: faucetAddress('kaspasim'), genesis: FAUCET }
  const application = new Application(engine, [faucet.address, alice!.address, bob!.address])
  const watched = [faucet, alice!, bob!]
  try {
    for (const event of history) {
      await play({ node, other }, event)
      if (event.type === 'crash') await application.crash()
      if (event.type === 'add' && !watched.includes(carol!)) watched.push(carol!)
      if (watched.includes(carol!) && !application.stored.includes(carol!.address)) application.add(carol!.address)
    }
    const hasAll = (): boolean => watched.every(({ address }) => application.stored.includes(address))
    let polls = 0
    await expect
      .poll(
        async () => {
          if (polls++ % 20 === 0) await node.mine() // the chain accepts what only virtual has accepted
          return [...(hasAll() ? [] : ['an address is missing']), ...faultsOf(application.state, node, watched)]
        },
        { interval: 20 },
      )
      .toEqual([])
  } finally {
    await application.stop()
    await engine.dispose()
    await Promise.all([node.close(), other.close()])
  }
}

describe('an application that stores rows and cursor together', () => {
  it.each(['Borsh', 'SerdeJson'] as const)(
    'ends with the transfers and balances of the node after any history (%s)',
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          await run(history, encoding)
        }),
        { numRuns: RUNS / 2, endOnFailure: !FULL },
      )
    },
    RUNS * 30_000,
  )
})
