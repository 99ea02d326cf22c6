import { schnorr } from '@noble/curves/secp256k1.js'
import { covenantIdOf } from '../../../src/model/covenant-id.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { minimumFee } from '../../../src/model/mass.js'
import { sighash } from '../../../src/model/sighash.js'
import { createTransaction, type Transaction, type TransactionOutput } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import type { Account } from '../../contract/node/support/payment.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import type { PlannedOutput } from './node-case.js'
import { op, scriptHash } from './writing.js'

const KAS = 100_000_000n
const IDS = 8
/** A signature of a key costs ten. */
const KEY_BUDGET = 10
const ANYONE = op(0x51)

/** Covenants with the outputs that continue them: anyone may spend these. */
export interface Covenants {
  readonly transaction: Transaction
  readonly ids: readonly string[]
  readonly utxos: readonly UtxoEntry[]
}

/** What pays for a transaction. */
interface Funding {
  readonly account: Account
  readonly funds: readonly UtxoEntry[]
  readonly changeTo: string
}

/** Begins some covenants, each with one output of its own, all authorized by one UTXO of an account. */
export function beginCovenants(account: Account, utxo: UtxoEntry): Covenants {
  const scriptPublicKey = { version: 0, script: scriptHash(ANYONE) }
  const begun = Array.from({ length: IDS }, (_, index) => {
    const output = { value: 100n * KAS, scriptPublicKey }
    return {
      ...output,
      covenant: { authorizingInput: 0, covenantId: covenantIdOf(utxo.outpoint, [{ index, ...output }]) },
    }
  })
  const transaction = fund({ account, funds: [utxo], changeTo: account.address }, [], begun)
  const id = transactionId(transaction)
  return {
    transaction,
    ids: begun.map(({ covenant }) => covenant.covenantId),
    utxos: begun.map(({ value, covenant: { covenantId } }, index) => ({
      outpoint: { transactionId: id, index },
      amount: value,
      scriptPublicKey,
      covenantId,
      blockDaaScore: 0n,
      isCoinbase: false,
    })),
  }
}

/** Creates the outputs of cases, in their order; those with a covenant id continue it. */
export function createOutputs(
  funding: Funding,
  { ids, utxos }: Covenants,
  outputs: readonly PlannedOutput[],
): Transaction {
  const created = outputs.map(({ covenantId, ...output }) => ({
    ...output,
    ...(covenantId !== undefined && { covenant: { authorizingInput: ids.indexOf(covenantId), covenantId } }),
  }))
  return fund(funding, utxos, created)
}

/** A transaction of version 1 that spends outputs of anyone and then those of an account; the change is last. */
function fund(
  { account, funds, changeTo }: Funding,
  free: readonly UtxoEntry[],
  outputs: readonly TransactionOutput[],
): Transaction {
  const spent = [...free, ...funds]
  const total = spent.reduce((sum, { amount }) => sum + amount, 0n)
  const paid = outputs.reduce((sum, { value }) => sum + value, 0n)
  const withChange = (change: bigint): Transaction =>
    signKeys(
      account,
      free.length,
      spent,
      createTransaction({
        version: 1,
        inputs: spent.map(({ outpoint }, index) => ({
          previousOutpoint: outpoint,
          signatureScript: index < free.length ? `01${ANYONE}` : '',
          sequence: 0n,
          sigOpCount: 0,
          computeBudget: index < free.length ? 0 : KEY_BUDGET,
        })),
        outputs: [...outputs, { value: change, scriptPublicKey: toScriptPublicKey(changeTo) }],
      }),
    )
  const fee = minimumFee(withChange(0n)) // does not depend on the amounts
  return withChange(total - paid - fee)
}

/** Signs the inputs from `first` on. */
function signKeys(
  { privateKey }: Account,
  first: number,
  spent: readonly UtxoEntry[],
  draft: Transaction,
): Transaction {
  const inputs = draft.inputs.map((input, index) => {
    if (index < first) return input
    const signature = schnorr.sign(sighash(draft, index, spent), fromHex(privateKey))
    return { ...input, signatureScript: `41${toHex(signature)}01` }
  })
  return { ...draft, inputs }
}
