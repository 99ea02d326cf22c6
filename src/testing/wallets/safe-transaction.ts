import { fromHex, toHex } from '../../model/hex.js'
import { type SpentOutput, SIGHASH_TYPES, sighash, sighashParts, type SighashType } from '../../model/sighash.js'
import type { Transaction } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import type { FakeAccount } from './account-state.js'

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

/** An input to sign, with its sighash type. */
export interface InputToSign {
  readonly index: number
  readonly sighashType: SighashType
}

/** Signs inputs with the account's key: a push of 65 bytes, a BIP-340 signature and the sighash type. */
export function signTransaction(
  safe: SafeTransaction,
  account: FakeAccount,
  toSign: readonly InputToSign[],
): SafeTransaction {
  const transaction = fromSafeTransaction(safe)
  const spent = spentBy(safe)
  const parts = sighashParts(transaction)
  const types = new Map(toSign.map(({ index, sighashType }) => [index, sighashType]))
  const inputs = safe.inputs.map((input, index) => {
    const type = types.get(index)
    if (type === undefined) return input
    const signature = account.signHash(sighash(transaction, index, spent, type, parts))
    return { ...input, signatureScript: `41${signature}${toHex(Uint8Array.of(type))}` }
  })
  return { ...safe, inputs }
}

/** Every input, with sighash type All. */
export const everyInput = ({ inputs }: SafeTransaction): InputToSign[] =>
  inputs.map((_, index) => ({ index, sighashType: SIGHASH_TYPES.All }))

/** The inputs that spend a P2PK output of the account's key. */
export const ownInputs = (safe: SafeTransaction, { publicKey }: FakeAccount): InputToSign[] =>
  everyInput(safe).filter(({ index }) => safe.inputs[index]?.utxo.scriptPublicKey === `000020${publicKey.slice(2)}ac`)
