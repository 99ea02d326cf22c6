import { isCountedOutput } from '../../model/spendable.js'
import type { ChainBlock, ChainInput, ChainTransaction } from '../chain/batch.js'
import type { Transfer, TransferTransaction } from './transfer.js'

/** What is known of addresses while transfers are extracted. Lookups must not depend on the number of addresses. */
export interface AddressFilter {
  readonly isWatched: (address: string) => boolean
  /** Of the watched addresses those whose transfers are extracted; all by default. */
  readonly isExtracted?: ((address: string) => boolean) | undefined
  /**
   * Whether an address is on the change chain of a watched account, or got the change of a transaction of one's own.
   */
  readonly isChange: (address: string, transactionId: string) => boolean
}

/** The transactions of a chain block that concern watched addresses, in the node's order. */
export function extractTransfers(block: ChainBlock, filter: AddressFilter): readonly TransferTransaction[] {
  return block.transactions.flatMap((transaction) => extractTransaction(transaction, block, filter) ?? [])
}

/** Where a transaction was accepted. */
type AcceptingBlock = Omit<ChainBlock, 'transactions'>

/** The transfers of a transaction; undefined where it concerns no watched address. */
export function extractTransaction(
  transaction: ChainTransaction,
  block: AcceptingBlock,
  filter: AddressFilter,
): TransferTransaction | undefined {
  const transfers = transfersOf(transaction, block, filter)
  if (transfers.length === 0) return undefined
  return { transactionId: transaction.id, net: netOf(transfers), fee: transaction.fee, transfers }
}

/** Credits minus debits, in sompi. */
export const netOf = (transfers: readonly Transfer[]): bigint =>
  transfers.reduce((net, { direction, amount }) => (direction === 'credit' ? net + amount : net - amount), 0n)

function transfersOf(transaction: ChainTransaction, block: AcceptingBlock, filter: AddressFilter): readonly Transfer[] {
  const { isWatched, isExtracted = isWatched, isChange } = filter
  const isTransfer = (output: CountedOutput): boolean => isExtracted(output.address) && isCountedOutput(output)
  const debited = transaction.inputs.filter(isOwned).filter(isTransfer)
  const credited = transaction.outputs.filter(hasAddress).filter(isTransfer)
  if (debited.length + credited.length === 0) return []
  const shared = {
    transactionId: transaction.id,
    acceptingBlockHash: block.hash,
    acceptingBlueScore: block.blueScore,
    acceptingDaaScore: block.daaScore,
    timestamp: block.timestamp,
    isOpening: false,
    isInternal: transaction.inputs.some(({ address }) => address !== null && isWatched(address)),
  } as const
  const payers = new Set(transaction.inputs.flatMap(({ address }) => address ?? []))
  const recipients = unwatched(transaction.outputs, filter)
  const senders = unwatched(transaction.inputs, filter)
  const debits = debited.map(({ address, amount, outpoint, covenantId }) => ({
    ...shared,
    direction: 'debit' as const,
    address,
    amount,
    outpoint,
    isCoinbase: false,
    isChange: false,
    covenantId,
    counterparties: recipients,
  }))
  const credits = credited.map(({ address, amount, index, covenantId }) => ({
    ...shared,
    direction: 'credit' as const,
    address,
    amount,
    outpoint: { transactionId: transaction.id, index },
    isCoinbase: transaction.isCoinbase,
    isChange: payers.has(address) || isChange(address, transaction.id),
    covenantId,
    counterparties: senders,
  }))
  return [...debits, ...credits]
}

type CountedOutput = Parameters<typeof isCountedOutput>[0]

type Owned = ChainInput & { readonly address: string; readonly amount: bigint }

const isOwned = (input: ChainInput): input is Owned => input.address !== null && input.amount !== null

const hasAddress = <T extends { readonly address: string | null }>(side: T): side is T & { readonly address: string } =>
  side.address !== null

function unwatched(
  side: readonly { readonly address: string | null }[],
  { isWatched }: AddressFilter,
): readonly string[] {
  const addresses = side.flatMap(({ address }) => (address === null || isWatched(address) ? [] : [address]))
  return [...new Set(addresses)]
}

/** The transactions with the transfers of some addresses only; without those that have none. */
export const keepTransfers = (
  transactions: readonly TransferTransaction[],
  isKept: (address: string) => boolean,
): readonly TransferTransaction[] => transactions.flatMap((one) => keepIn(one, isKept))

function keepIn(
  transaction: TransferTransaction,
  isKept: (address: string) => boolean,
): readonly TransferTransaction[] {
  const transfers = transaction.transfers.filter(({ address }) => isKept(address))
  if (transfers.length === transaction.transfers.length) return [transaction]
  return transfers.length === 0 ? [] : [{ ...transaction, transfers, net: netOf(transfers) }]
}
