import { abortable } from '../../../loading/abortable.js'
import { loadCode } from '../../../loading/load-code.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { SerializedTransaction } from '../../../model/serialized-transaction.js'
import type { SdkPort, TransactionSigner } from '../../../sdk/port.js'
import { abortedBefore } from '../submit/throw-if-aborted.js'
import type { EcdsaSigner } from './ecdsa.js'
import { requireSigner } from './require-signer.js'
import type { Signable } from './inputs-to-sign.js'
import { signWithKeys, signWithKeysAsync, type SignatureScripts } from './sign-with-keys.js'

/** Private keys, 32 bytes in hex, or a signer that has them. */
export type KeysOrSigner = readonly string[] | TransactionSigner

/** Signs the transactions of a plan; the signature scripts of all inputs, in order. */
export interface PlanSigning {
  /** Blocks. Throws `ChainCryptoError` and `ChainNotReadyError`. */
  readonly sign: (plan: readonly Signable[], privateKeys: readonly string[]) => SignatureScripts
  /** Does not block the thread. Rejects likewise, and with `ChainError` (`aborted`) as soon as `signal` aborts. */
  readonly signAsync: (
    plan: readonly Signable[],
    keysOrSigner: KeysOrSigner,
    context: PlanContext,
  ) => Promise<SignatureScripts>
}

export interface PlanContext {
  /** The transactions as a signer is shown them. */
  readonly transactions: () => Promise<readonly SerializedTransaction[]>
  readonly signal: AbortSignal | undefined
}

export interface PlanSigningDependencies {
  /** Throws `ChainNotReadyError`. */
  readonly sdk: () => SdkPort
  /** Loaded where the plan has ECDSA inputs. */
  readonly ecdsa: EcdsaSigner | undefined
  readonly prefix: AddressPrefix
  readonly keyPathOf: (address: string) => string | undefined
}

export const createPlanSigning = ({ sdk, ecdsa, prefix, keyPathOf }: PlanSigningDependencies): PlanSigning => ({
  sign: (plan, privateKeys) => signWithKeys(plan, privateKeys, { sdk: sdk(), ecdsa }),
  signAsync: (plan, keysOrSigner, { transactions, signal }) =>
    abortable(
      signal,
      async () => {
        if (!isSigner(keysOrSigner)) return signWithKeysAsync(plan, keysOrSigner, { sdk: sdk(), ecdsa }, signal)
        const { signWithSigner } = await loadCode(() => import('./sign-with-signer.js'))
        return signWithSigner(plan, keysOrSigner, { prefix, keyPathOf, transactions: await transactions(), signal })
      },
      abortedBefore,
    ),
})

/** Anything but an array must be a signer; the keys are checked when they are read. */
function isSigner(given: KeysOrSigner): given is TransactionSigner {
  if (Array.isArray(given)) return false
  return requireSigner(given)
}
