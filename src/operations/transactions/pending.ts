import { hasUnknownOutcome } from '../../errors/rpc-error.js'
import { toAddress } from '../../model/address.js'
import { serializeTransaction } from '../../model/serialized-transaction.js'
import type { AddressPrefix } from '../../model/network.js'
import type { Transaction } from '../../model/transaction.js'
import { cryptoError } from '../keys/crypto-failure.js'
import type { BuiltTransaction, SpentUtxo } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import type { UtxoReservation } from './submit/utxo-reservation.js'
import type { PendingTx } from './records.js'
import { openKeyring, type Keyring } from './sign/keyring.js'
import { signInputs } from './sign/sign.js'
import type { SignedAmounts } from './sign/signed-amounts.js'
import type { Submit } from './submit/submission.js'

export interface PendingTxDependencies {
  readonly sdk: TransactionDependencies['sdk']
  readonly ecdsa: EcdsaSigner | undefined
  readonly prefix: AddressPrefix
  readonly signedAmounts: SignedAmounts
  readonly reservation: UtxoReservation
  readonly send: Submit
}

/** A transaction with the reservation of its UTXOs. */
export interface ReservableTx extends UtxoReservation {
  readonly transaction: PendingTx
  /** `sign` with an open keyring, which all transactions of a plan share. */
  readonly signWith: (keyring: Keyring) => void
}

/** Keys are not kept after signing. Signatures are kept only where every input has one. */
export function createReservableTx(
  built: BuiltTransaction,
  { sdk, ecdsa, prefix, signedAmounts, reservation, send }: PendingTxDependencies,
): ReservableTx {
  let scripts: readonly string[] = built.spent.map(() => '')
  const signWith = (keyring: Keyring): void => {
    const signed = signInputs(built, keyring)
    requireSigned('sign', built, signed, prefix)
    signedAmounts.record(built)
    scripts = signed
  }

  const toTransaction = (): Transaction => ({
    ...built.transaction,
    inputs: built.transaction.inputs.map((input, index) => ({ ...input, signatureScript: scripts[index] ?? '' })),
  })

  const transaction: PendingTx = {
    id: built.id,
    fee: built.fee,
    mass: built.mass,
    sign: (privateKeys) => signWith(openKeyring(privateKeys, { sdk: sdk('sign'), ecdsa })),
    async submit({ signal } = {}) {
      requireSigned('submit', built, scripts, prefix)
      reservation.reserve()
      try {
        return await send(toTransaction(), signal)
      } catch (error) {
        if (!hasUnknownOutcome(error)) reservation.release()
        throw error
      }
    },
    serialize: () => serializeTransaction(toTransaction()),
    addresses: () => addressesOf(built.spent, prefix),
  }
  return { ...reservation, transaction, signWith }
}

/** Throws `ChainCryptoError` (`key-mismatch`) where an input has no signature script. */
function requireSigned(
  operation: 'sign' | 'submit',
  { spent }: BuiltTransaction,
  scripts: readonly string[],
  prefix: AddressPrefix,
): void {
  const unsigned = spent.filter((_, index) => scripts[index] === '')
  if (unsigned.length === 0) return
  const addresses = addressesOf(unsigned, prefix).join(', ')
  throw cryptoError(operation, {
    code: 'key-mismatch',
    argument: 'privateKeys',
    reason: `${unsigned.length} of ${spent.length} inputs are not signed`,
    hint: `Sign with the keys of all inputs at once, also with those of ${addresses}.`,
  })
}

function addressesOf(spent: readonly SpentUtxo[], prefix: AddressPrefix): string[] {
  const addresses = spent.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix))
  return [...new Set(addresses.filter((address) => address !== undefined))]
}
