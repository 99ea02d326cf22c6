import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { ask } from './ledger-world.js'
import { KAS, alice, bob } from './people.js'

/** A network on which Alice has three coins, of 30, 7 and 4 KAS. */
export interface ReplaceScene {
  readonly ledger: Ledger
  readonly entries: readonly UtxoEntry[]
  /** What it takes to pay Bob so much. */
  readonly paying: (
    amount: bigint,
    more?: Partial<CreateTransactionSettings> & { readonly privateKeys?: string[] },
  ) => CreateTransactionSettings & { readonly privateKeys: string[] }
  /** The fees of what waits in the mempool, by id. */
  readonly waiting: () => Map<string, bigint>
}

export function createReplaceScene(): ReplaceScene {
  const amounts = [30n * KAS, 7n * KAS, 4n * KAS]
  const ledger = createLedger({ genesisCoins: amounts.map((amount) => ({ address: alice.address, amount })) })
  const { entries } = ask(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
  return {
    ledger,
    entries,
    paying: (amount, more = {}) => ({
      entries,
      outputs: [{ address: bob.address, amount }],
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
      ...more,
    }),
    waiting: () => {
      const { mempoolEntries } = ask(ledger, 'getMempoolEntries', {
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      return new Map(mempoolEntries.map(({ transaction, fee }) => [transaction.verboseData?.transactionId ?? '', fee]))
    },
  }
}

/** Asks for one that waits in the mempool. */
export const waitingEntry = (transactionId = '') => ({
  transactionId,
  includeOrphanPool: false,
  filterTransactionPool: false,
})
