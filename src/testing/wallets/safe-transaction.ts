import { fromHex } from '../../model/hex.js'
import type { SpentOutput } from '../../model/sighash.js'
import type { Transaction } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'

/**
 * A transaction in the SDK's "safe JSON", which wallets exchange: u64 as decimal strings, scripts prefixed with the
 * version in four hex digits, inputs with the output they spend.
 */
export interface SafeTransaction {
  readonly id: string
  readonly version: number
  readonly inputs: readonly SafeInput[]
  readonly outputs: readonly { readonly value: string; readonly scriptPublicKey: string }[]
  readonly lockTime: string
  readonly gas: string
  readonly subnetworkId: string
  readonly payload: string
}

export interface SafeInput {
  readonly transactionId: string
  readonly index: number
  readonly sequence: string
  readonly sigOpCount: number
  readonly signatureScript?: string
  readonly utxo: { readonly amount: string; readonly scriptPublicKey: string }
}

/** Whether parsed JSON is such a transaction, as far as wallets check it. */
export const isSafeTransaction = (value: unknown): value is SafeTransaction =>
  typeof value === 'object' &&
  value !== null &&
  'inputs' in value &&
  Array.isArray(value.inputs) &&
  'outputs' in value &&
  Array.isArray(value.outputs)

/** Converts to the model's transaction for hashing. */
export function fromSafeTransaction(safe: Omit<SafeTransaction, 'id'>): Transaction {
  return {
    version: safe.version,
    inputs: safe.inputs.map(({ transactionId, index, sequence, sigOpCount, signatureScript = '' }) => ({
      previousOutpoint: { transactionId, index },
      signatureScript,
      sequence: BigInt(sequence),
      sigOpCount,
    })),
    outputs: safe.outputs.map(({ value, scriptPublicKey }) => ({
      value: BigInt(value),
      scriptPublicKey: fromSafeScript(scriptPublicKey),
    })),
    lockTime: BigInt(safe.lockTime),
    subnetworkId: safe.subnetworkId,
    gas: BigInt(safe.gas),
    payload: safe.payload,
    mass: 0n,
  }
}

/** The outputs that the inputs spend, in the same order. */
export const spentBy = ({ inputs }: Pick<SafeTransaction, 'inputs'>): SpentOutput[] =>
  inputs.map(({ utxo }) => ({ amount: BigInt(utxo.amount), scriptPublicKey: fromSafeScript(utxo.scriptPublicKey) }))

export const toSafeScript = ({ version, script }: ScriptPublicKey): string =>
  version.toString(16).padStart(4, '0') + script

const fromSafeScript = (text: string): ScriptPublicKey => ({
  version: new DataView(fromHex(text.slice(0, 4)).buffer).getUint16(0),
  script: text.slice(4),
})
