import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import type { FeedOptions } from '../../../src/feed/options.js'
import type { FeedSink } from '../../../src/feed/sink.js'
import { light } from '../../../src/light/index.js'
import { createPayouts, type Payouts } from '../../../src/payouts/create-payouts.js'
import type { PayoutsOptions } from '../../../src/payouts/options.js'
import type { PayoutJournal } from '../../../src/streams/payouts/journal.js'
import type { TransactionSigner } from '../../../src/sdk/port.js'
import type { Account } from '../../../src/streams/accounts/accounts.js'
import vectors from '../../fixtures/accounts/extended-public-keys.json' with { type: 'json' }

export const KAS = 100_000_000n

/** A queue of the first account of a node, and what ends it. */
export interface TestQueue {
  readonly engine: ChainEngine
  readonly payouts: Payouts
  /** Starts to work. */
  run(): void
  /** Stops working; resolves once it has. */
  stop(): Promise<void>
  end(): Promise<void>
}

/** Options of tests: no waiting, and everything settled after two blocks. */
export type TestOptions = Partial<Omit<PayoutsOptions, 'engine' | 'journal' | 'privateKeys' | 'signer'>> & {
  /** @default the key of the account */
  readonly signer?: TransactionSigner | undefined
}

export function createQueue(
  nodes: readonly Devnode[],
  journal: PayoutJournal,
  { signer, ...options }: TestOptions = {},
  engineOptions: ChainEngineOptions = {},
): TestQueue {
  const [node] = nodes
  const account = node!.accounts[0]!
  const engine = createChainEngine({
    network: 'simnet',
    urls: nodes.map(({ urls }) => urls.borsh),
    sdk: light,
    reconnect: { maxRetries: Infinity },
    ...engineOptions,
  })
  const payouts = createPayouts({
    engine,
    journal,
    addresses: [account.address],
    ...(signer === undefined ? { privateKeys: [account.privateKeyHex] } : { signer }),
    minConfirmations: 2,
    submitInterval: 200,
    batch: { maxWait: 0, splitTo: 1 },
    ...options,
  })
  let stopped = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const stop = async (): Promise<void> => {
    stopped.abort()
    await running
  }
  return {
    engine,
    payouts,
    run() {
      stopped = new AbortController()
      void engine.connection.connect().catch(() => undefined) // it is repeated
      running = payouts.run({ signal: stopped.signal })
    },
    stop,
    async end() {
      await stop()
      await engine.dispose()
    },
  }
}

/** A feed that works for a queue. */
export interface TestFeed {
  readonly queue: TestQueue
  /** Why it has ended; undefined for a reason of the test. */
  readonly failure: () => unknown
  /** Ends it, and the queue. */
  stop(): Promise<void>
}

/** Runs a feed with a queue, unless `options` say otherwise. */
export function runFeed(queue: TestQueue, sink: FeedSink, options: Partial<FeedOptions> = {}): TestFeed {
  const { engine, payouts } = queue
  const feed = createFeed({ engine, watch: [], minConfirmations: 0, sink, payouts, ...options })
  const stopped = new AbortController()
  let failure: unknown
  void engine.connection.connect().catch(() => undefined) // it is repeated
  const running = feed.run({ signal: stopped.signal }).catch((error: unknown) => (failure = error))
  return {
    queue,
    failure: () => failure,
    async stop() {
      stopped.abort()
      await running
      await queue.end()
    },
  }
}

/** A node without mining; `balance` of its account, in sompi. */
export const startNode = (balance = 1_000n * KAS): Promise<Devnode> =>
  createDevnode({ blockInterval: 0, accounts: 1, balance })

/** Addresses of recipients, one for each payout. */
export async function openRecipients(): Promise<Account> {
  const engine = createChainEngine({ network: 'simnet' })
  const recipients = await engine.accounts.fromExtendedPublicKey(vectors[1]!.kpub, { startIndex: 0 })
  await engine.dispose()
  return recipients
}
