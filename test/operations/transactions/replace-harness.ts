import { createLedger, type Ledger } from '../../../src/devnode/ledger/ledger.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { queryLedger } from './ledger-dependencies.js'
import { KAS, alice, bob } from './accounts.js'

/** A ledger with three UTXOs of Alice, of 30, 7 and 4 KAS. */
export interface ReplaceHarness {
  readonly ledger: Ledger
  readonly entries: readonly UtxoEntry[]
  /** Settings of a payment to Bob. */
  readonly paying: (
    amount: bigint,
    overrides?: Partial<CreateTransactionSettings> & { readonly privateKeys?: string[] },
  ) => CreateTransactionSettings & { readonly privateKeys: string[] }
  /** Fees of mempool transactions by id. */
  readonly mempoolFees: () => Map<string, bigint>
}

export function createReplaceHarness(): ReplaceHarness {
  const amounts = [30n * KAS, 7n * KAS, 4n * KAS]
  const ledger = createLedger({ genesisUtxos: amounts.map((amount) => ({ address: alice.address, amount })) })
  const { entries } = queryLedger(ledger, 'getUtxosByAddresses', { addresses: [alice.address] })
  return {
    ledger,
    entries,
    paying: (amount, overrides = {}) => ({
      entries,
      outputs: [{ address: bob.address, amount }],
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
      ...overrides,
    }),
    mempoolFees: () => {
      const { mempoolEntries } = queryLedger(ledger, 'getMempoolEntries', {
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      return new Map(mempoolEntries.map(({ transaction, fee }) => [transaction.verboseData?.transactionId ?? '', fee]))
    },
  }
}

export const mempoolEntryRequest = (transactionId = '') => ({
  transactionId,
  includeOrphanPool: false,
  filterTransactionPool: false,
})
