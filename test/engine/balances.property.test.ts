import fc from 'fast-check'
import type { Subscription } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { toAddress } from '../../src/model/address.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { FULL, runs } from '../full.js'
import { LIMIT } from '../limits.js'

const KAS = 100_000_000n
const ACCOUNTS = 3

type Step =
  | { readonly action: 'pay'; readonly by: 'us' | 'another'; readonly utxo: number; readonly to: number }
  | { readonly action: 'replace'; readonly by: 'us' | 'another'; readonly to: number }
  | { readonly action: 'mine'; readonly count: number; readonly parallel: number }

const by = fc.constantFrom('us', 'another')
const to = fc.nat({ max: ACCOUNTS }) // the last one is not tracked
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ action: fc.constant('pay'), by, utxo: fc.nat({ max: 20 }), to }) },
  { weight: 1, arbitrary: fc.record({ action: fc.constant('replace'), by, to }) },
  {
    weight: 2,
    arbitrary: fc.record({
      action: fc.constant('mine'),
      count: fc.integer({ min: 1, max: 3 }),
      parallel: fc.integer({ min: 1, max: 2 }),
    }),
  },
)

/** What the accounts own once every submitted transaction is accepted, computed from the transactions alone. */
class Oracle {
  readonly unspent = new Map<OutpointKey, UtxoEntry>()
  readonly #submitted = new Map<string, { readonly spent: readonly UtxoEntry[]; readonly created: readonly OutpointKey[] }>() // prettier-ignore

  constructor(utxos: readonly UtxoEntry[]) {
    for (const utxo of utxos) this.unspent.set(toOutpointKey(utxo.outpoint), utxo)
  }

  total(addresses: readonly string[]): bigint {
    return [...this.unspent.values()]
      .filter(({ address }) => addresses.includes(address ?? ''))
      .reduce((sum, { amount }) => sum + amount, 0n)
  }

  submit({ id, inputs, outputs }: SerializedTransaction): void {
    const spent = inputs.flatMap(({ previousOutpoint }) => this.unspent.get(toOutpointKey(previousOutpoint)) ?? [])
    for (const { outpoint } of spent) this.unspent.delete(toOutpointKey(outpoint))
    const created = outputs.map(({ value, scriptPublicKey }, index): UtxoEntry => {
      return fixtures.utxo({
        address: toAddress(scriptPublicKey, 'kaspasim'),
        outpoint: { transactionId: id, index },
        amount: BigInt(value),
        scriptPublicKey,
      })
    })
    for (const entry of created) this.unspent.set(toOutpointKey(entry.outpoint), entry)
    this.#submitted.set(id, { spent, created: created.map(({ outpoint }) => toOutpointKey(outpoint)) })
  }

  /** Removes a transaction and those that spend its outputs. */
  remove(id: string): void {
    const { spent, created } = this.#submitted.get(id) ?? { spent: [], created: [] }
    for (const [other, { spent: spentByOther }] of this.#submitted) {
      if (spentByOther.some(({ outpoint }) => outpoint.transactionId === id)) this.remove(other)
    }
    this.#submitted.delete(id)
    for (const key of created) this.unspent.delete(key)
    for (const entry of spent) this.unspent.set(toOutpointKey(entry.outpoint), entry)
  }
}

interface Harness {
  readonly devnode: Devnode
  readonly engines: { readonly us: ChainEngine; readonly another: ChainEngine }
  readonly tracked: readonly string[]
  readonly oracle: Oracle
  /** The totals of the tracked accounts since the last call. */
  readonly takeTotals: () => readonly bigint[]
  readonly latest: () => bigint
  /** Reads mempool and UTXOs. */
  readonly refresh: () => Promise<void>
  readonly close: () => Promise<void>
}

async function createHarness(): Promise<Harness> {
  const devnode = await createDevnode({ blockInterval: 0, accounts: ACCOUNTS + 1, balance: 100n * KAS })
  const engines = {
    us: createChainEngine({ network: 'simnet', url: devnode.urls.borsh }),
    another: createChainEngine({ network: 'simnet', url: devnode.urls.borsh }),
  }
  for (const engine of Object.values(engines)) await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const tracked = devnode.accounts.slice(0, ACCOUNTS).map(({ address }) => address)
  const tracker = engines.us.utxos(tracked)
  const subscriptions: Subscription[] = [tracker.state$.subscribe()]
  await tracker.ready()
  const totals: bigint[] = []
  let latest = 0n
  subscriptions.push(
    engines.us.balances$(tracked).subscribe(({ balance, freshness }) => {
      if (freshness !== 'fresh') return
      latest = balance.total
      totals.push(latest)
    }),
  )
  await expect.poll(() => latest).toBe(BigInt(ACCOUNTS) * 100n * KAS)
  return {
    devnode,
    engines,
    tracked,
    oracle: new Oracle(devnode.expected.utxos(devnode.accounts.map(({ address }) => address))),
    takeTotals: () => totals.splice(0),
    latest: () => latest,
    refresh: () => tracker.refresh(),
    close: async () => {
      for (const subscription of subscriptions) subscription.unsubscribe()
      for (const engine of Object.values(engines)) await engine.dispose()
      await devnode.close()
    },
  }
}

async function pay(
  harness: Harness,
  { by, to }: { by: 'us' | 'another'; to: number },
  utxo: UtxoEntry,
  replaces?: string,
) {
  const { devnode, engines, oracle } = harness
  const from = devnode.accounts.find(({ address }) => address === utxo.address)
  const recipient = devnode.accounts[to]?.address
  if (from === undefined || recipient === undefined || utxo.amount < 4n * KAS) return
  const created = await engines[by].transactions
    .create({
      entries: [utxo],
      outputs: [{ address: recipient, amount: utxo.amount / 3n }],
      changeAddress: from.address,
      replaces,
    })
    .catch(() => undefined) // reserved by an earlier payment, or no longer in the mempool
  const [payment] = created?.transactions ?? []
  if (payment === undefined) return
  payment.sign([from.privateKeyHex])
  const serialized = payment.serialize()
  try {
    await payment.submit()
  } catch {
    return // its parent is in a block that is not accepted yet, or the other payment was included
  }
  if (replaces !== undefined) oracle.remove(replaces)
  oracle.submit(serialized)
}

async function apply(harness: Harness, one: Step, latestPayment: { id: string; utxo: UtxoEntry } | undefined) {
  const { devnode, oracle } = harness
  switch (one.action) {
    case 'mine':
      await devnode.mine(one.count, { parallel: one.parallel })
      return undefined
    case 'pay': {
      const utxos = [...oracle.unspent.values()]
      const utxo = utxos[one.utxo % utxos.length]
      if (utxo === undefined) return latestPayment
      const before = new Set(oracle.unspent.keys())
      await pay(harness, one, utxo)
      const id = [...oracle.unspent.keys()].find((key) => !before.has(key))?.split(':')[0]
      return id === undefined ? latestPayment : { id, utxo }
    }
    case 'replace':
      if (latestPayment !== undefined) await pay(harness, one, latestPayment.utxo, latestPayment.id)
      return undefined
  }
}

describe('the total of all accounts', () => {
  it(
    'equals what they own once the mempool is accepted, and stays while blocks accept it',
    { timeout: FULL ? 1_200_000 : LIMIT },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          const harness = await createHarness()
          const { oracle, tracked, takeTotals, latest, refresh } = harness
          let latestPayment: { id: string; utxo: UtxoEntry } | undefined
          try {
            for (const one of [...steps, { action: 'mine', count: 4, parallel: 1 } as const]) {
              const before = oracle.total(tracked)
              takeTotals()
              latestPayment = await apply(harness, one, latestPayment)
              const after = oracle.total(tracked)
              if (one.action === 'mine' || one.by === 'another') await refresh()
              await expect.poll(latest).toBe(after)
              for (const total of takeTotals()) expect([before, after]).toContain(total)
            }
            expect(harness.devnode.expected.mempool()).toEqual([])
            const balances = harness.devnode.expected.balances(tracked)
            expect(latest()).toBe(balances.reduce((sum, { mature }) => sum + mature, 0n))
          } finally {
            await harness.close()
          }
        }),
        { numRuns: runs(4, 200) },
      ),
  )
})
