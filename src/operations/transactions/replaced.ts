import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { addressVersionOf } from '../../model/address.js'
import { relayMass, storageMass } from '../../model/mass.js'
import type { Transaction, TransactionInput } from '../../model/transaction.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { findEntries } from './check-entries.js'
import type { PaidFee } from './plan/fee.js'
import type { CheckedSettings } from './settings.js'

/** A mempool transaction to be replaced. */
export interface Replaced {
  /** The UTXOs that it spends. The replacement spends all of them, so that only one of the two can be accepted. */
  readonly utxos: readonly UtxoEntry[]
  readonly paidFee: PaidFee
}

/**
 * Fetches a transaction from the mempool. Its UTXOs are taken from those of the caller or from its parents in the
 * mempool. Its fee is computed from them, because an untrusted fee from the node could raise the fee of the
 * replacement. Rejects with `ChainError`: `invalid-argument` where it is not in the mempool, or spends a UTXO that is
 * unknown, or bound by a covenant without `spendBound`; `unexpected-response` where the node returns another
 * transaction. `states`: outputs of contracts that the caller knows.
 */
export async function fetchReplaced(
  id: string,
  { utxos: from, spendsBound }: Pick<CheckedSettings, 'utxos' | 'spendsBound'>,
  call: Call,
  states: readonly UtxoEntry[] = [],
): Promise<Replaced> {
  const transaction = await findInMempool(id, call)
  if (transaction === undefined) throw notInMempool(id)
  const known = findEntries(
    from,
    transaction.inputs.map(({ previousOutpoint }) => previousOutpoint),
  )
  const all = new Map([...known, ...states.map((utxo) => [toOutpointKey(utxo.outpoint), utxo] as const)])
  const utxos = await Promise.all(transaction.inputs.map((input) => findUtxo(input, all, call)))
  if (!spendsBound && utxos.some(({ covenantId }) => covenantId !== undefined)) throw covenantUtxo()
  return { utxos, paidFee: paidFeeOf(transaction, utxos) }
}

/** A transaction of the mempool; undefined where it is absent. Its id is checked, because the node is not trusted. */
export async function findInMempool(id: string, call: Call): Promise<Transaction | undefined> {
  const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
  const response = await call('getMempoolEntry', request).catch((error: unknown) => {
    if (error instanceof ChainRpcError && error.code === 'remote') return undefined // a node rejects an unknown id
    throw error
  })
  const transaction = response?.mempoolEntry.transaction
  if (transaction === undefined || idOf(transaction) === id) return transaction
  throw new ChainError(`The node returned another transaction than ${id}`, {
    code: 'unexpected-response',
    hint: 'Connect to another node.',
  })
}

async function findUtxo(
  { previousOutpoint }: TransactionInput,
  entries: ReadonlyMap<OutpointKey, UtxoEntry>,
  call: Call,
): Promise<UtxoEntry> {
  const { transactionId, index } = previousOutpoint
  const known = entries.get(toOutpointKey(previousOutpoint))
  if (known !== undefined) return known
  const output = (await findInMempool(transactionId, call))?.outputs[index]
  if (output === undefined) throw unknownUtxo(transactionId)
  const { value: amount, scriptPublicKey, covenant } = output
  const utxo = { outpoint: previousOutpoint, amount, scriptPublicKey, blockDaaScore: 0n, isCoinbase: false }
  return { ...utxo, covenantId: covenant?.covenantId }
}

function paidFeeOf(given: Transaction, utxos: readonly UtxoEntry[]): PaidFee {
  const transaction = { ...given, inputs: given.inputs.map((input, at) => withSignature(input, utxos[at], given)) }
  const spent = utxos.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
  const [relay, storage] = [relayMass(transaction), storageMass(transaction, utxos)]
  return { fee: spent - paid, mass: storage > relay ? storage : relay }
}

/**
 * An input with what the signature of a key takes at least. The id covers neither signature scripts nor counts: with
 * shorter ones the feerate that is to be exceeded would be higher than was paid.
 */
function withSignature(
  input: TransactionInput,
  utxo: UtxoEntry | undefined,
  { version }: Pick<Transaction, 'version'>,
): TransactionInput {
  const type = utxo && addressVersionOf(utxo.scriptPublicKey)
  if (type !== 'PubKey' && type !== 'PubKeyECDSA') return input
  const signatureScript = input.signatureScript.padEnd(2 * SIGNATURE_BYTES, '0')
  return version === 0
    ? { ...input, signatureScript, sigOpCount: Math.max(1, input.sigOpCount) }
    : { ...input, signatureScript, computeBudget: Math.max(SIGNATURE_BUDGET, input.computeBudget ?? 0) }
}

/** The script of one signature, and the compute budget that its verification takes. */
const SIGNATURE_BYTES = 66
const SIGNATURE_BUDGET = 10

const notInMempool = (id: string): ChainError =>
  invalidArgument(
    'replaces',
    `The transaction ${id} is not in the mempool`,
    'Only a transaction in the mempool can be replaced: follow its id to see its status.',
  )

const covenantUtxo = (): ChainError =>
  invalidArgument(
    'replaces',
    'The transaction to be replaced spends a UTXO that is bound by a covenant',
    'A payment ends the right that it may carry: pass spendBound: true, or replace it with the software that created it.',
  )

const unknownUtxo = (transactionId: string): ChainError =>
  invalidArgument(
    'entries',
    `The transaction to be replaced spends a UTXO of ${transactionId} that is not among the entries`,
    'Pass all entries of the addresses that the payment spends from.',
  )
