import { outcomeOf, withOutcome } from '../../errors/with-outcome.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS, type AddressPrefix, type ChainNetwork } from '../../model/network.js'
import { serializePayment } from '../../model/serialized-payment.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type { Transaction } from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { cryptoError } from '../keys/crypto-failure.js'
import type { BuiltTransaction, SpentUtxo } from './build.js'
import type { PendingTx } from './records.js'
import type { PlanSigning, SignatureScripts } from './sign/sign-with-keys.js'
import type { WhileClaimed, UtxoReservation } from './submit/held-utxos.js'
import type { SignedAmounts } from './sign/signed-amounts.js'
import type { Submit } from './submit/submission.js'

export interface PendingTxDependencies {
  readonly network: ChainNetwork
  /** The id of the payment that it replaces. */
  readonly replaces: string | undefined
  /** Gets the change; undefined where everything goes to a recipient. */
  readonly change: ScriptPublicKey | undefined
  readonly signing: PlanSigning
  readonly signedAmounts: SignedAmounts
  readonly reservation: UtxoReservation
  /** The calls of contracts in it. */
  readonly calls: readonly SerializedCall[] | undefined
  /** Undefined where tabs share no claims. */
  readonly whileSigned: WhileClaimed | undefined
  /** The sink from before it was first submitted, where it is known. */
  readonly lookupStart: () => string | undefined
  readonly send: Submit
  /** Whether an earlier process may have sent it. */
  readonly isRestored: boolean
}

/** A transaction with the reservation of its UTXOs. */
export interface ReservableTx extends UtxoReservation {
  readonly built: BuiltTransaction
  readonly transaction: PendingTx
  /** Throws as `PendingTx.signAsync` rejects, before anything is signed. */
  readonly requireSignable: () => void
  /** Keeps the signature scripts of its inputs. Rejects as `PendingTx.signAsync` does, and then keeps none. */
  readonly applyScripts: (scripts: SignatureScripts) => Promise<void>
  /** Keeps those of a payment that was signed earlier. Throws likewise. */
  readonly restoreScripts: (scripts: SignatureScripts) => void
}

/** Of what callers see. */
const builtTransactions = /*#__PURE__*/ new WeakMap<PendingTx, BuiltTransaction>()

/** What a transaction consists of, unsigned: `serialize()` hashes it twice. */
export function builtOf(transaction: PendingTx): BuiltTransaction {
  const built = builtTransactions.get(transaction)
  if (built === undefined) throw new TypeError('The transaction was not created here')
  return built
}

/** Keys are not kept after signing. Signatures are kept only where every input has one. */
export function createReservableTx(
  built: BuiltTransaction,
  {
    network,
    replaces,
    change,
    signing,
    signedAmounts,
    reservation,
    calls,
    whileSigned = (sign) => sign(),
    lookupStart,
    send,
    isRestored,
  }: PendingTxDependencies,
): ReservableTx {
  const prefix = NETWORKS[network].addressPrefix
  const given: SignatureScripts = built.transaction.inputs.map(({ signatureScript }) => signatureScript)
  let scripts: SignatureScripts | undefined
  let known: SubmissionKnown | undefined
  const applyScripts = async (signed: SignatureScripts): Promise<void> => {
    requireSigned('sign', built, signed, prefix)
    await signedAmounts.recordAsync(built)
    scripts = signed
  }
  const restoreScripts = (signed: SignatureScripts): void => {
    signedAmounts.recordRestored(built)
    scripts = signed
  }
  const requireSignable = (): void => signedAmounts.requireStore(built)

  const toTransaction = (): Transaction => ({
    ...built.transaction,
    inputs: built.transaction.inputs.map((input, index) => ({
      ...input,
      signatureScript: (scripts ?? given)[index] ?? '',
    })),
  })
  const serialize: PendingTx['serialize'] = () =>
    serializePayment({
      network,
      transaction: toTransaction(),
      spent: built.spent,
      replaces,
      lookupStart: lookupStart(),
      change,
      calls,
    })

  const transaction: PendingTx = {
    id: built.id,
    fee: built.fee,
    mass: built.mass,
    sign: (privateKeys) => {
      const signed = signing.sign([built], privateKeys)
      requireSigned('sign', built, signed, prefix)
      signedAmounts.record(built)
      scripts = signed
    },
    signAsync: async (signer, { signal } = {}) => {
      requireSignable()
      const transactions = () => Promise.resolve([serialize()])
      await whileSigned(async () => applyScripts(await signing.signAsync([built], signer, { transactions, signal })))
    },
    get known() {
      return known
    },
    async submit({ signal } = {}) {
      try {
        requireSigned('submit', built, scripts ?? withoutPlaceholders(given, calls), prefix)
      } catch (error) {
        throw withOutcome(error, isRestored ? 'unknown' : 'unsent', isRestored ? built.id : undefined)
      }
      reservation.reserve()
      try {
        known = await send(toTransaction(), signal)
        return built.id
      } catch (error) {
        if (outcomeOf(error) === 'unsent') reservation.release()
        throw error
      }
    },
    serialize,
    addresses: () => addressesOf(built.spent, prefix),
  }
  builtTransactions.set(transaction, built)
  return { ...reservation, built, transaction, requireSignable, applyScripts, restoreScripts }
}

/** Unsigned, the script of a call whose arguments hold signatures has placeholders. */
const withoutPlaceholders = (scripts: SignatureScripts, calls: PendingTxDependencies['calls'] = []): SignatureScripts =>
  scripts.map((script, index) => ((calls[index]?.signatures.length ?? 0) > 0 ? '' : script))

/** Throws `ChainCryptoError` (`key-mismatch`) where an input has no signature script. */
function requireSigned(
  operation: 'sign' | 'submit',
  { spent }: BuiltTransaction,
  scripts: SignatureScripts,
  prefix: AddressPrefix,
): void {
  const unsigned = spent.filter((_, index) => (scripts[index] ?? '') === '')
  if (unsigned.length === 0) return
  const addresses = addressesOf(unsigned, prefix).join(', ')
  throw cryptoError(operation, {
    code: 'key-mismatch',
    argument: 'privateKeys',
    reason: `${unsigned.length} of ${spent.length} inputs are not signed`,
    hint: `Sign with the keys of all inputs at once${addresses && `, also with those of ${addresses}`}.`,
  })
}

function addressesOf(spent: readonly SpentUtxo[], prefix: AddressPrefix): string[] {
  const payable = spent.filter(({ covenantId }) => covenantId === undefined) // never show the address of a contract
  const addresses = payable.map(({ scriptPublicKey }) => toAddress(scriptPublicKey, prefix))
  return [...new Set(addresses.filter((address) => address !== undefined))]
}
