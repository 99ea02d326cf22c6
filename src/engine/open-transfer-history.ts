import type { ChainRestTransaction } from '../rest/records/transactions.js'
import type { ChainTransaction } from '../streams/chain/batch.js'
import type { AddressFilter } from '../streams/transfers/extract.js'
import { toEntry, type TransferEntry } from '../streams/transfers/history/entry.js'
import { createTransferHistory, type OlderPages } from '../streams/transfers/history/transfer-history.js'
import type { TransferHistory, TransferHistoryOptions } from '../streams/transfers/history/state.js'
import type { Observable } from 'rxjs'
import type { ChainCore } from './core.js'
import { feature } from './feature.js'
import { chain } from './features/chain.js'
import { restClients } from './features/rest.js'

/** A history of addresses over a core's node, with older pages from its indexer. */
export const openTransferHistory = (
  core: ChainCore,
  addresses$: Observable<readonly string[]>,
  options?: TransferHistoryOptions,
): TransferHistory =>
  createTransferHistory(
    {
      ...core,
      chainBatches$: feature(core, chain).chainBatches$,
      olderPages: (addresses, limit, filter) => olderPages(core, addresses, limit, filter),
    },
    addresses$,
    options,
  )

function olderPages(core: ChainCore, addresses: readonly string[], limit: number, filter: AddressFilter): OlderPages {
  const rest = feature(core, restClients).current()
  /** The block time below which the next page of each address begins; addresses without an older page are removed. */
  const unread = new Map<string, number | undefined>(addresses.map((address) => [address, undefined]))
  const read = (address: string, before: number | undefined) =>
    rest.getAddressTransactionPage(address, { limit, before, acceptance: 'accepted' })
  const toEntries = (transactions: readonly ChainRestTransaction[]) =>
    transactions.flatMap((transaction) => toRestEntry(transaction, filter) ?? [])
  return {
    async next() {
      const pages = await Promise.all(
        [...unread].map(async ([address, before]) => ({ address, page: await read(address, before) })),
      )
      for (const { address, page } of pages) {
        if (page.before === undefined) unread.delete(address)
        else unread.set(address, page.before)
      }
      const times = [...unread.values()].map((before) => before ?? 0)
      const completeFrom = times.length === 0 ? null : Math.max(...times)
      return { entries: pages.flatMap(({ page }) => toEntries(page.transactions)), completeFrom }
    },
    async newest() {
      const pages = await Promise.all(addresses.map((address) => read(address, undefined)))
      return pages.flatMap(({ transactions }) => toEntries(transactions))
    },
  }
}

function toRestEntry(transaction: ChainRestTransaction, filter: AddressFilter): TransferEntry | undefined {
  const {
    accepting_block_blue_score: blueScore,
    accepting_block_time: acceptedAt,
    block_time: createdAt = 0,
  } = transaction
  if (blueScore === undefined) return undefined
  return toEntry(
    toChainTransaction(transaction),
    { blueScore: BigInt(blueScore), timestamp: acceptedAt ?? createdAt },
    filter,
  )
}

function toChainTransaction({
  transaction_id: id = '',
  version = 0,
  payload = '',
  inputs = [],
  outputs = [],
}: ChainRestTransaction): ChainTransaction {
  const spent = inputs.map((input) => ({
    outpoint: { transactionId: input.previous_outpoint_hash ?? '', index: Number(input.previous_outpoint_index ?? 0) },
    address: input.previous_outpoint_address ?? null,
    amount: input.previous_outpoint_amountExact ?? null,
  }))
  const created = outputs.map((output, at) => ({
    index: output.index ?? at,
    address: output.script_public_key_address ?? null,
    amount: output.amountExact ?? 0n,
    scriptPublicKey: { version: 0, script: output.script_public_key ?? '' },
  }))
  const isCoinbase = inputs.length === 0
  return {
    id,
    version,
    payload,
    isCoinbase,
    storageMass: 0n,
    computeMass: 0n,
    inputs: spent,
    outputs: created,
    fee: feeOf(spent, created),
  }
}

function feeOf(
  inputs: readonly { readonly amount: bigint | null }[],
  outputs: readonly { readonly amount: bigint }[],
): bigint | null {
  if (inputs.length === 0) return 0n
  let fee = 0n
  for (const { amount } of inputs) {
    if (amount === null) return null
    fee += amount
  }
  return outputs.reduce((left, { amount }) => left - amount, fee)
}
