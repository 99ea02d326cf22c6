import type { Observable } from 'rxjs'
import type { ChainRestTransaction } from '../rest/records/transactions.js'
import type { ChainTransaction } from '../streams/chain/batch.js'
import type { ReadPage } from '../streams/transfers/history/pages.js'
import { addressesOf, type HistoryRow } from '../streams/transfers/history/entry.js'
import { createSharedHistories, type SharedHistories } from '../streams/transfers/history/shared-histories.js'
import type { TransferHistory, TransferHistoryOptions } from '../streams/transfers/history/state.js'
import { createTransferHistory } from '../streams/transfers/history/transfer-history.js'
import { type CoreParts, feature } from './core-parts.js'
import { chain } from './features/chain.js'
import { restClients } from './features/rest.js'

/** A history of addresses over a core's node, with older pages from its indexer. */
export const openTransferHistory = (
  core: CoreParts,
  addresses$: Observable<readonly string[]>,
  options?: TransferHistoryOptions,
): TransferHistory =>
  createTransferHistory({ ...feature(core, sharedHistories), session$: core.session$ }, addresses$, options)

/** The histories that all lists of a core share. */
const sharedHistories = (core: CoreParts): SharedHistories =>
  createSharedHistories({ ...core, chainBatches$: feature(core, chain).chainBatches$, readPage: readPages(core) })

/**
 * The newest page bypasses the cache: a list that begins later must not lack what the chain brought since the last one.
 */
const readPages =
  (core: CoreParts): ReadPage =>
  async (address, limit, before) => {
    const page = await feature(core, restClients)
      .current()
      .getAddressTransactionPage(address, { limit, before, acceptance: 'accepted', forceRefresh: before === undefined })
    return { rows: page.transactions.flatMap((transaction) => toRow(transaction) ?? []), before: page.before ?? null }
  }

function toRow(transaction: ChainRestTransaction): HistoryRow | undefined {
  const {
    accepting_block_blue_score: blueScore,
    accepting_block_time: acceptedAt,
    block_time: createdAt = 0,
  } = transaction
  if (blueScore === undefined) return undefined
  const accepted = toChainTransaction(transaction)
  return {
    transaction: accepted,
    acceptance: { blueScore: BigInt(blueScore), timestamp: acceptedAt ?? createdAt },
    addresses: addressesOf(accepted),
    isFollowed: false,
  }
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
