import { NEVER, VirtualTimeScheduler } from 'rxjs'
import type { UnconfirmedTransaction } from '../../../../src/model/unconfirmed-transaction.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { RpcMempoolEntry } from '../../../../src/node/messages/records.js'
import { createUtxoSets, type UtxoSets } from '../../../../src/streams/utxos/store/utxo-sets.js'
import { createCurrentEffects } from '../../../../src/streams/utxos/unconfirmed/effects.js'
import { createUnconfirmedSync } from '../../../../src/streams/utxos/unconfirmed/sync.js'
import { createUnconfirmed, type Unconfirmed } from '../../../../src/streams/utxos/unconfirmed/unconfirmed.js'
import { createView, type View } from '../../../../src/streams/utxos/view/view.js'
import { createTestPlatform } from '../../../../src/testing/platform.js'
import { ALICE } from '../utxo-fixtures.js'
import { finish } from '../../../../src/loading/steps.js'
import { createTransaction } from '../../../../src/model/transaction.js'

/** A mempool transaction and the addresses under which the node lists it. */
export type Listing = readonly [payment: UnconfirmedTransaction, addresses: readonly string[], kind?: 'orphan']

export interface BalanceHarness {
  readonly unconfirmed: Unconfirmed
  readonly utxoSets: UtxoSets
  readonly view: View
  readonly scheduler: VirtualTimeScheduler
  /** Applies one notification. */
  notify(removed: readonly UtxoEntry[], added: readonly UtxoEntry[]): void
  /** Begins a read of the mempool; the result applies the response. */
  beginRead(): (listings: readonly Listing[]) => void
  /** Reads the mempool. */
  read(...listings: readonly Listing[]): void
  /** The mempool is no longer read for an address. */
  forget(address: string): void
  /** Adds chain blocks. Returns the addresses that have to be read again. */
  addBlocks(count: number): readonly string[]
  /** `mature + unconfirmed + immature = total`. */
  balance(): string
  /** The amounts of the spendable entries. */
  spendable(): string
}

/** UTXO sets of addresses with these entries, and everything that their balance depends on, without a node. */
export function createBalanceHarness(entries: readonly UtxoEntry[], addresses = [ALICE]): BalanceHarness {
  const scheduler = new VirtualTimeScheduler()
  const platform = createTestPlatform({ scheduler })
  const unconfirmed = createUnconfirmed({ network$: NEVER, ended$: NEVER, platform })
  const utxoSets = createUtxoSets()
  const effects = createCurrentEffects(unconfirmed.records, utxoSets)
  const sync = createUnconfirmedSync(unconfirmed, utxoSets, effects)
  utxoSets.applied$.subscribe(({ changes }) => sync.applyIndex(changes))
  const view = createView(utxoSets, effects, { coinbaseMaturity: 1_000n, mempoolInterval: 10_000 })
  const sets = addresses.map((address) => utxoSets.open(address))
  for (const set of sets) {
    view.add(set)
    for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(set, { type })
  }
  utxoSets.load(sets, finish(utxoSets.prepare(entries)))
  const beginRead = (): ((listings: readonly Listing[]) => void) => {
    const apply = sync.beginRead(addresses)
    return (listings) => apply(addresses.map((address) => toResponse(address, listings)))
  }
  return {
    unconfirmed,
    utxoSets,
    view,
    scheduler,
    notify: (removed, added) => void utxoSets.apply({ removed, added }),
    beginRead,
    read: (...listings) => beginRead()(listings),
    forget: (address) => sync.forget(address),
    addBlocks: (count) => Array.from({ length: count }, () => [...sync.addBlock()]).flat(),
    balance: () => {
      const { mature, unconfirmed, immature, total } = view.balances().balance
      return `${mature} + ${unconfirmed} + ${immature} = ${total}`
    },
    spendable: () =>
      view
        .state()
        .matureEntries.map(({ amount }) => String(amount))
        .join(),
  }
}

const toResponse = (address: string, listings: readonly Listing[]) => ({
  address,
  sending: listings
    .filter(([, listed]) => listed.includes(address))
    .map(([payment, , kind]) => toMempoolEntry(payment, kind === 'orphan')),
  receiving: [],
})

/** A record of the node's mempool. Not a fixture: a test makes tens of thousands, with ids of its own. */
export const toMempoolEntry = ({ id, inputs, outputs }: UnconfirmedTransaction, isOrphan = false): RpcMempoolEntry => ({
  fee: 1n,
  isOrphan,
  transaction: {
    ...createTransaction({
      inputs: inputs.map(({ outpoint }) => ({
        ...{ previousOutpoint: outpoint, signatureScript: '', sequence: 0n, sigOpCount: 1 },
      })),
      outputs: outputs.map(({ value, scriptPublicKey, covenant }) => ({ value, scriptPublicKey, covenant })),
    }),
    verboseData: { transactionId: id, hash: id, computeMass: 0n, blockHash: '00'.repeat(32), blockTime: 0n },
  },
})
