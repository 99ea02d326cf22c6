import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { relayMass, storageMass } from '../../model/mass.js'
import type { Transaction, TransactionInput } from '../../model/transaction.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import type { Bid } from './plan/fee.js'

/** What is to be replaced, as far as its successor must know it. */
export interface Replaced {
  /** The coins that it spends: its successor spends them all, so that never both are accepted. */
  readonly coins: readonly UtxoEntry[]
  readonly bid: Bid
}

/**
 * Looks up a transaction that waits in the mempool. What it spends is taken from `entries`, or from its parents in the
 * mempool; what it pays is reckoned from that, not from what the node says, which could make us give money away.
 * Rejects with `ChainError` (`invalid-argument`) where it does not wait there, or spends what nobody knows or what a
 * covenant binds.
 */
export async function askReplaced(id: string, entries: readonly UtxoEntry[], call: Call): Promise<Replaced> {
  const transaction = await findWaiting(id, call)
  if (transaction === undefined) throw notWaiting(id)
  const coins = await Promise.all(transaction.inputs.map((input) => findCoin(input, entries, call)))
  if (coins.some(({ covenantId }) => covenantId !== undefined)) throw boundCoin()
  return { coins, bid: bidOf(transaction, coins) }
}

/** A transaction of the mempool; undefined where it is not there. Its id proves that it is the one that was asked for. */
async function findWaiting(id: string, call: Call): Promise<Transaction | undefined> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const answer = await call('getMempoolEntry', request).catch((error: unknown) => {
    if (error instanceof ChainRpcError && error.code === 'remote') return undefined // a node refuses to show what it has not
    throw error
  })
  const transaction = answer?.mempoolEntry.transaction
  if (transaction === undefined || idOf(transaction) === id) return transaction
  throw new ChainError(`The node answers another transaction than ${id}`, {
    code: 'invalid-data',
    hint: 'Connect to another node.',
  })
}

/** What an input spends. */
async function findCoin(
  { previousOutpoint }: TransactionInput,
  entries: readonly UtxoEntry[],
  call: Call,
): Promise<UtxoEntry> {
  const { transactionId, index } = previousOutpoint
  const known = entries.find(({ outpoint }) => outpoint.transactionId === transactionId && outpoint.index === index)
  if (known !== undefined) return known
  const output = (await findWaiting(transactionId, call))?.outputs[index]
  if (output === undefined) throw unknownCoin(transactionId)
  const { value: amount, scriptPublicKey, covenant } = output
  const coin = { outpoint: previousOutpoint, amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  return { ...coin, covenantId: covenant?.covenantId }
}

function bidOf(transaction: Transaction, coins: readonly UtxoEntry[]): Bid {
  const spent = coins.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
  const [relay, storage] = [relayMass(transaction), storageMass(transaction, coins)]
  return { fee: spent - paid, mass: storage > relay ? storage : relay }
}

const notWaiting = (id: string): ChainError =>
  invalidArgument(
    'replaces',
    `The transaction ${id} does not wait in the mempool`,
    'Only what no block holds yet can be replaced: follow it by its id to see what has become of it.',
  )

const boundCoin = (): ChainError =>
  invalidArgument(
    'replaces',
    'The transaction to be replaced spends a coin that is bound by a covenant',
    'An ordinary payment would break the covenant: replace it by what made it.',
  )

const unknownCoin = (transactionId: string): ChainError =>
  invalidArgument(
    'entries',
    `The transaction to be replaced spends a coin of ${transactionId} that is not among the entries`,
    'Pass all entries of the addresses that it is paid from.',
  )
