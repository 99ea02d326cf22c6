import { isUnsettled } from '../../errors/rpc-error.js'
import { toAddress } from '../../model/address.js'
import { serializeTransaction } from '../../model/serialized-transaction.js'
import type { AddressPrefix } from '../../model/network.js'
import type { Transaction } from '../../model/transaction.js'
import { refuse } from '../keys/refusal.js'
import type { BuiltTransaction, SpentCoin } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import type { Hold } from './submit/hold.js'
import type { PendingTx } from './records.js'
import { openKeyring, type Keyring } from './sign/keyring.js'
import { signInputs } from './sign/sign.js'
import type { Submit } from './submit/submission.js'

/** What a pending transaction works with. */
export interface PendingWorld {
  readonly sdk: TransactionDependencies['sdk']
  readonly ecdsa: EcdsaSigner | undefined
  readonly prefix: AddressPrefix
  readonly hold: Hold
  readonly send: Submit
}

/** A transaction with the coins it holds while it is under way. */
export interface HeldTx extends Hold {
  readonly transaction: PendingTx
  /** The same as `sign`, with keys that have been read already: those of a whole plan are read once. */
  readonly signWith: (keyring: Keyring) => void
  /** Throws `ChainCryptoError` (`key-mismatch`) where an input is not signed. */
  readonly requireSigned: () => void
}

/** A built transaction as its owner handles it. Keys are used and forgotten. */
export function createHeldTx(built: BuiltTransaction, { sdk, ecdsa, prefix, hold, send }: PendingWorld): HeldTx {
  let scripts: readonly string[] = built.spent.map(() => '')
  const requireSigned = (): void => refuseUnsigned(built, scripts, prefix)
  const signWith = (keyring: Keyring): void => {
    scripts = signInputs(built, scripts, keyring)
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
      requireSigned()
      hold.take()
      try {
        return await send(toTransaction(), signal)
      } catch (error) {
        if (!isUnsettled(error)) hold.drop()
        throw error
      }
    },
    serialize: () => serializeTransaction(toTransaction()),
    addresses: () => addressesOf(built.spent, prefix),
  }
  return { ...hold, transaction, signWith, requireSigned }
}

function refuseUnsigned({ spent }: BuiltTransaction, scripts: readonly string[], prefix: AddressPrefix): void {
  const unsigned = spent.filter((_, index) => scripts[index] === '')
  if (unsigned.length === 0) return
  throw refuse('submit', {
    code: 'key-mismatch',
    argument: 'privateKeys',
    story: `${unsigned.length} of ${spent.length} inputs are not signed`,
    hint: `Sign with the keys of ${addressesOf(unsigned, prefix).join(', ')} first.`,
  })
}

function addressesOf(spent: readonly SpentCoin[], prefix: AddressPrefix): string[] {
  const addresses = spent.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix))
  return [...new Set(addresses.filter((address) => address !== undefined))]
}
