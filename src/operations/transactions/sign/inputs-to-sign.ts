import { addressVersionOf } from '../../../model/address.js'
import { ecdsaSighash, sighash, sighashParts, SIGHASH_TYPES } from '../../../model/sighash.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { BuiltTransaction } from '../build.js'
import type { SignedCall } from '../../../sdk/port.js'

/** An input of a plan with the hash that its signature signs. */
export interface InputToSign {
  /** Position of the transaction in the plan, and of the input in the transaction. */
  readonly transactionIndex: number
  readonly inputIndex: number
  /** The locking script of the spent output. */
  readonly scriptPublicKey: ScriptPublicKey
  /** 32 bytes, Schnorr or ECDSA by the kind of the script. */
  readonly sighash: Uint8Array
  /** The call that it is an argument of. */
  readonly contract?: SignedCall | undefined
}

/** A key that signs an input: its locking script, and the call that takes the signature as an argument. */
export type InputSigner = Pick<InputToSign, 'scriptPublicKey' | 'contract'>

/** What signing needs of a transaction. */
export interface Signable extends Pick<BuiltTransaction, 'transaction' | 'spent'> {
  /** The keys that sign each input, in the order of the inputs. Default: the key of what it spends. */
  readonly signers?: readonly (readonly InputSigner[])[] | undefined
}

/** All inputs of a plan, in order. Each step computes one hash: a thousand of them take some 50 ms. */
export function* inputsToSign(plan: readonly Signable[]): Generator<InputToSign> {
  for (const [transactionIndex, { transaction, spent, signers = spent.map(keyOf) }] of plan.entries()) {
    const parts = sighashParts(transaction)
    for (const [inputIndex, keys] of signers.entries())
      for (const { scriptPublicKey, contract } of keys) {
        const toHash = isEcdsa(scriptPublicKey) ? ecdsaSighash : sighash
        const hash = toHash(transaction, inputIndex, spent, SIGHASH_TYPES.All, parts)
        yield { transactionIndex, inputIndex, scriptPublicKey, sighash: hash, contract }
      }
  }
}

const keyOf = ({ scriptPublicKey }: Signable['spent'][number]): readonly InputSigner[] => [{ scriptPublicKey }]

/** Whether an input with this locking script needs an ECDSA signature; all others need a Schnorr one. */
export const isEcdsa = (scriptPublicKey: ScriptPublicKey): boolean =>
  addressVersionOf(scriptPublicKey) === 'PubKeyECDSA'
