import type { Steps } from '../../../loading/steps.js'
import type { TransactionOutput } from '../../../model/transaction.js'
import type { UtxoRows } from '../../../model/utxo-source/source.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import { invalidArgument } from '../../../errors/chain-error.js'
import { signerLimit } from '../../../errors/payment-errors.js'
import { addressVersionOf, toAddress } from '../../../model/address.js'
import { sompiToKaspa } from '../../../model/amount.js'
import type { AddressPrefix } from '../../../model/network.js'
import { eachChunk, eachPart } from '../../../model/utxo-columns/columns.js'
import { isAbove, toBound } from '../../../model/utxo-columns/words.js'
import type { SignerLimits } from '../../../sdk/port.js'

/** The limits of a signer, as rules of a plan. */
export interface SignerRules {
  /** Inputs of a transaction, at most. */
  readonly maxInputs: number
  /** Throws `SignerLimitError` where a payment has what the signer cannot sign. */
  readonly requireFits: (payment: LimitedPayment) => void
  /** Throws `SignerLimitError` where UTXOs that must be spent are not those of one transaction of the signer. */
  readonly requireInputs: (entries: readonly UtxoEntry[]) => void
  /** Sets the class of the rows of a class that the signer cannot sign, in steps. */
  readonly mark: (rows: UtxoRows, classes: Uint8Array, from: number, to: number) => Steps<void>
}

/** What a signer must be able to sign of a payment, whatever it spends. */
interface LimitedPayment {
  readonly outputs: readonly TransactionOutput[]
  readonly change: ScriptPublicKey
  /** Hex. */
  readonly payload: string
  readonly commitsAmounts: boolean
}

export interface SignerLimitsContext {
  readonly prefix: AddressPrefix
  readonly keyPathOf: (address: string) => string | undefined
}

/** What is not limited. */
const [ANY_INDEX, ANY_AMOUNT] = [2 ** 32, 2n ** 64n - 1n]

/** The limits of a signer as rules. Throws `ChainError` (`invalid-argument`) for limits that are none. */
export function toSignerRules(limits: SignerLimits, { prefix, keyPathOf }: SignerLimitsContext): SignerRules {
  const { maxInputs = Infinity, maxRecipients = Infinity, maxOutpointIndex, maxAmount } = limits
  for (const [name, value] of Object.entries({ maxInputs, maxRecipients })) requireCount(name, value)
  const isOwn = (script: ScriptPublicKey): boolean => {
    const path = keyPathOf(toAddress(script, prefix) ?? '')
    const { account } = limits
    return path !== undefined && (account === undefined || path.startsWith(`m/44'/111111'/${account}'/`))
  }
  const signsScript = (script: ScriptPublicKey): boolean =>
    signsScheme(limits, script) && (limits.account === undefined || isOwn(script))
  const tests = { signsScript, maxIndex: maxOutpointIndex ?? ANY_INDEX, maxAmount: maxAmount ?? ANY_AMOUNT }
  return {
    maxInputs,
    requireFits: (payment) => {
      requireOutputs(payment, maxRecipients, tests.maxAmount)
      if (limits.payload === false && payment.payload !== '')
        throw signerLimit(
          'payload',
          'payload',
          'The signer signs no payload',
          'Leave payload out, or use private keys.',
        )
      if (limits.commitAmounts === false && payment.commitsAmounts) throw onlyZero()
      if (limits.change === 'own-path' && payment.outputs.length > 0 && !isOwn(payment.change))
        throw foreignChange(limits.account)
    },
    requireInputs: (entries) => requireInputs(entries, maxInputs, tests),
    mark: (rows, classes, from, to) => mark(rows, classes, { from, to }, tests),
  }
}

/** What decides whether a signer can sign an input. */
interface InputTests {
  readonly signsScript: (script: ScriptPublicKey) => boolean
  readonly maxIndex: number
  readonly maxAmount: bigint
}

function requireCount(name: string, value: number): void {
  if (value === Infinity || (Number.isInteger(value) && value > 0)) return
  throw invalidArgument(`signer.limits.${name}`, `"${name}" must be a whole number, 1 or more`)
}

function signsScheme({ schemes }: SignerLimits, script: ScriptPublicKey): boolean {
  return schemes?.includes(addressVersionOf(script) === 'PubKeyECDSA' ? 'ecdsa' : 'schnorr') ?? true
}

function requireOutputs({ outputs }: LimitedPayment, maxRecipients: number, maxAmount: bigint): void {
  if (outputs.length > maxRecipients)
    throw signerLimit(
      'maxRecipients',
      'outputs',
      `The signer signs payments to ${maxRecipients} at most, not to ${outputs.length}`,
      'Pay the recipients one after the other.',
    )
  const at = outputs.findIndex(({ value }) => value > maxAmount)
  if (at === -1) return
  throw signerLimit(
    'maxAmount',
    `outputs[${at}].amount`,
    `The signer signs amounts up to ${sompiToKaspa(maxAmount)} KAS`,
    'Pay it in parts.',
  )
}

function requireInputs(entries: readonly UtxoEntry[], maxInputs: number, tests: InputTests): void {
  if (entries.length > maxInputs) throw notReplaceable('maxInputs', `spends ${entries.length} UTXOs`)
  for (const { outpoint, amount, scriptPublicKey } of entries) {
    if (outpoint.index > tests.maxIndex) throw notReplaceable('maxOutpointIndex', `spends output ${outpoint.index}`)
    if (amount > tests.maxAmount) throw notReplaceable('maxAmount', `spends ${sompiToKaspa(amount)} KAS at once`)
    if (!tests.signsScript(scriptPublicKey)) throw notReplaceable('account', 'spends from another address')
  }
}

function* mark(
  { parts }: UtxoRows,
  classes: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
  { signsScript, maxIndex, maxAmount }: InputTests,
): Steps<void> {
  const bound = toBound(maxAmount)
  let number = 0
  yield* eachPart(
    parts,
    ({ columns }) => columns.count,
    ({ columns: { count, indexes, amounts, scriptOf, scripts } }) => {
      const signs = scripts.map(({ scriptPublicKey }) => signsScript(scriptPublicKey))
      return eachChunk(count, (first, end) => {
        for (let row = first; row < end; row++, number++) {
          const isSigned =
            signs[scriptOf[row] ?? 0] === true && (indexes[row] ?? 0) <= maxIndex && !isAbove(amounts, row, bound)
          if (!isSigned && classes[number] === from) classes[number] = to
        }
      })
    },
  )
}

const onlyZero = () =>
  signerLimit(
    'commitAmounts',
    'commitAmounts',
    'The signer signs sequence 0 only, which commits to no amounts',
    'Leave commitAmounts out: with this signer it is false.',
  )

const foreignChange = (account: number | undefined) =>
  signerLimit(
    'change',
    'changeAddress',
    'The signer signs change only to an address whose derivation path is known',
    `Take changeAddress from the account${account === undefined ? '' : ` ${account}`} that the engine follows: account.next({ change: true }).`,
  )

const notReplaceable = (limit: string, what: string) =>
  signerLimit(
    limit,
    'replaces',
    `The signer cannot sign a replacement of a payment that ${what}`,
    'Wait for the payment, or replace it with the keys that signed it.',
  )
