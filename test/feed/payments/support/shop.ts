import { createDevnode, type Devnode } from '../../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../../src/engine/engine.js'
import { createFeed } from '../../../../src/feed/create-feed.js'
import { createPayments, type Payments } from '../../../../src/feed/payments/create-payments.js'
import type { PaymentClient } from '../../../../src/feed/payments/run-payments.js'
import type { PaymentsOptions } from '../../../../src/feed/payments/options.js'
import type { FeedSink } from '../../../../src/feed/sink.js'
import type { Account } from '../../../../src/streams/accounts/accounts.js'
import { expect } from 'vitest'
import vectors from '../../../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import type { Sql } from '../../support/tables.js'

export const KAS = 100_000_000n

/** A database of a test, and its schema. */
export interface ShopDatabase {
  readonly sql: Sql
  readonly schema: string
  sink(): FeedSink
  /** A transaction of the program, which a rejection rolls back. */
  transaction<T>(work: (client: PaymentClient) => Promise<T>): Promise<T>
  options():
    | { readonly pool: NonNullable<PaymentsOptions['pool']> }
    | { readonly database: NonNullable<PaymentsOptions['database']> }
}

/** Options of tests. */
export type ShopOptions = Partial<
  Pick<PaymentsOptions, 'webhook' | 'payouts' | 'mempoolInterval' | 'account' | 'logger'>
>

/** A node, a feed into the database and payments beside it. */
export interface Shop {
  readonly devnode: Devnode
  readonly engine: ChainEngine
  readonly account: Account
  readonly payments: Payments
  /** Further payments on the same database. */
  create(options?: ShopOptions): Payments
  /** Starts to evaluate; resolves to what stops it. */
  run(payments?: Payments): () => Promise<void>
  startFeed(): () => Promise<void>
  /** Mines until a condition holds; resolves to how many blocks that took. */
  untilMined<T>(read: () => Promise<T>, expected: T): Promise<number>
  end(): Promise<void>
}

/** `kpub` of the fixtures. */
export const KPUB = vectors[1]!.kpub

export async function openShop(database: ShopDatabase, options: ShopOptions = {}): Promise<Shop> {
  const devnode = await createDevnode({ blockInterval: 0, accounts: 3, balance: 1_000n * KAS })
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, reconnect: { maxRetries: Infinity } })
  await engine.connection.connect()
  const account = await engine.accounts.fromExtendedPublicKey(KPUB)
  const create = (more: ShopOptions = {}): Payments =>
    createPayments({
      ...{ engine, account, schema: database.schema, mempoolInterval: 100 },
      ...options,
      ...more,
      ...database.options(),
    })
  const ends: (() => Promise<void>)[] = []
  const start = (work: (signal: AbortSignal) => Promise<void>): (() => Promise<void>) => {
    const stopped = new AbortController()
    const done = work(stopped.signal)
    done.catch(() => undefined) // rejects what stops it
    const stop = async (): Promise<void> => {
      stopped.abort()
      await done
    }
    ends.push(stop)
    return stop
  }
  const payments = create()
  return {
    devnode,
    engine,
    account,
    payments,
    create,
    run: (one = payments) => start((signal) => one.run({ signal })),
    startFeed: () =>
      start((signal) => {
        const feed = createFeed({ engine, watch: 'table', minConfirmations: 0, sink: database.sink() })
        return feed.run({ signal })
      }),
    async untilMined(read, expected) {
      let blocks = 0
      await expect
        .poll(async () => {
          const value = await read()
          if (JSON.stringify(value) !== JSON.stringify(expected)) blocks += (await devnode.mine()).length
          return value
        })
        .toEqual(expected)
      return blocks
    },
    async end() {
      const results = await Promise.allSettled(ends.map((stop) => stop()))
      await engine.dispose()
      await devnode.close()
      const failure = results.find((result) => result.status === 'rejected')
      if (failure !== undefined) throw failure.reason
    },
  }
}
