import { ChainError } from '../../../errors/chain-error.js'
import { insufficientFunds, outputTooSmall } from '../../../errors/payment-errors.js'
import { sompiToKaspa, MAX_SOMPI } from '../../../model/amount.js'
import { computeChange, minimumChangeCost, compound } from './change.js'
import { totalOf } from './draft.js'
import type { FeePolicy } from './fee.js'
import { minimumInputs, type Attempt, type Planned } from './plan.js'
import type { SpendableFunds } from './spendable-funds.js'
import {
  MASS_LIMIT,
  NOTHING_SPENT,
  canSpendInputs,
  type SpentTotals,
  type TransactionTemplate,
  createTemplate,
  fits,
  massesOf,
} from './template.js'
import type { TransactionOutput } from '../../../model/transaction.js'

/** The error of a payment that cannot be planned. */
export function toError(
  { template, attempt }: Extract<Planned, { kind: 'impossible' }>,
  funds: SpendableFunds,
  policy: FeePolicy,
): ChainError {
  const inputs = minimumInputs(funds)
  if (!canSpendInputs(template, inputs)) return noInputCapacity(template, inputs)
  if (attempt?.outcome.kind === 'mass-exceeded') return tooSmall(template, attempt, attempt.outcome.storage, policy)
  if (attempt?.outcome.kind === 'unusable-change')
    return unusableChange(template, attempt, attempt.outcome.excess, funds, policy)
  return notEnough(template, funds, policy)
}

function noInputCapacity(template: TransactionTemplate, inputs: number): ChainError {
  const argument = template.payload === '' ? 'outputs' : 'payload'
  return new ChainError(`${inputs === 1 ? 'An input does' : `${inputs} inputs do`} not fit beside the ${argument}`, {
    code: 'mass-exceeded',
    argument,
    hint: `A transaction has a mass of at most ${MASS_LIMIT} grams: pay fewer recipients, or shorten the payload.`,
  })
}

function tooSmall(
  template: TransactionTemplate,
  { candidate }: Attempt,
  storageMass: bigint,
  policy: FeePolicy,
): ChainError {
  const values = template.outputs.map(({ value }) => value)
  const index = values.reduce((least, value, at) => (value < (values[least] ?? value) ? at : least), 0)
  const smallest = smallestOutput(template, candidate.spent, policy)
  const { first: fits, transactions } = splitOutputs(template)
  const isTogether = transactions !== undefined && transactions > 1
  return outputTooSmall(
    isTogether ? 'outputs' : `outputs[${index}].amount`,
    isTogether
      ? `${values.length} outputs do not fit one transaction: their storage mass is ${storageMass} grams`
      : `An output of ${sompiToKaspa(values[index] ?? 0n)} KAS is too small: the smallest is ${sompiToKaspa(smallest)} KAS`,
    { smallest, fits, storageMass, limit: MASS_LIMIT },
    `${isTogether ? `Pay them in ${transactions} transactions, as the queue of vue-chain/payouts does. ` : ''}Nodes count an output as 1,000,000,000,000 grams divided by its sompi, subtract the same for the inputs, and allow 500,000 per transaction (KIP-9).`,
  )
}

function unusableChange(
  template: TransactionTemplate,
  { candidate }: Attempt,
  excess: bigint,
  funds: SpendableFunds,
  policy: FeePolicy,
): ChainError {
  const sums = funds.sums()
  const least = minimumChangeCost(template, candidate.spent, policy)
  const required = template.paid + template.priorityFee + least + (sums.spendable - candidate.spent.amount)
  if (template.outputs.length === 0) return tooLittleToConsolidate(funds, required)
  return insufficientFunds(
    `${sompiToKaspa(excess)} KAS would be left over: too much for a fee of ${policy.rate} sompi per gram, too little for an output of its own`,
    { ...sums, required, reservedBy: funds.reservedBy() },
    `Pay ${sompiToKaspa(excess)} KAS more, or ${sompiToKaspa(least - excess)} KAS less; or give priorityFee in place of feeRate.`,
  )
}

function tooLittleToConsolidate(funds: SpendableFunds, required: bigint): ChainError {
  const sums = funds.sums()
  return insufficientFunds(
    `${sompiToKaspa(sums.spendable)} KAS are too little to consolidate: after the fee the output would be too small`,
    { ...sums, required, reservedBy: funds.reservedBy() },
    'Consolidate them together with other UTXOs.',
  )
}

function notEnough(template: TransactionTemplate, funds: SpendableFunds, policy: FeePolicy): ChainError {
  const sums = funds.sums()
  const { spendable, immature, reserved, dust, bound, invalid, device, script } = sums
  const required = requiredOf(template, funds, spendable, policy)
  const unavailable = [
    ['are immature mining rewards', immature],
    ['are reserved by pending payments', reserved],
    ['are in UTXOs that cost more to spend than they hold', dust],
    ['are bound by covenants: spendBound: true spends them and ends the rights that they carry', bound],
    ['are in entries whose script is not that of their address', invalid],
    ['are in UTXOs that the signer cannot sign', device],
    ['are in outputs of scripts: the setting account spends those of an account of several signers', script],
  ] as const
  const reasons = unavailable.filter(([, sum]) => sum > 0n).map(([what, sum]) => `${sompiToKaspa(sum)} KAS ${what}.`)
  return insufficientFunds(
    `${sompiToKaspa(required)} KAS are needed, fee included, and ${sompiToKaspa(spendable)} KAS can be spent`,
    { ...sums, required, reservedBy: funds.reservedBy() },
    reasons.join(' ') || 'Pay less, or from more addresses.',
  )
}

/** Outputs and fees if all UTXOs were spent; always above the spendable amount. */
function requiredOf(
  template: TransactionTemplate,
  { fixed, utxos }: SpendableFunds,
  spendable: bigint,
  policy: FeePolicy,
): bigint {
  const all = [...fixed, ...utxos]
  const compounded = all.length === 0 ? undefined : compound(all, template, policy)
  const spent = compounded === undefined ? EMPTY_INPUT : totalOf(compounded.utxos)
  const outcome = computeChange(template, spent, policy)
  const missing = outcome.kind === 'insufficient' ? outcome.missing : minimumChangeCost(template, spent, policy)
  const required = (compounded === undefined ? 0n : spendable) + missing
  return required > spendable ? required : spendable + 1n
}

/** One input of zero sompi: without any UTXO the fee is that of a payment with one input. */
const EMPTY_INPUT: SpentTotals = { ...NOTHING_SPENT, plurality: 1n, inputs: 1n }

/**
 * The smallest amount of each output for which nodes relay the transaction, paid from the same UTXOs: with every
 * smaller output raised to it the storage mass is within the limit, with one sompi less it is not. Where the UTXOs do
 * not cover that, larger ones are assumed, which offset no storage mass.
 */
export function smallestOutput(
  template: TransactionTemplate,
  spent: SpentTotals,
  policy: FeePolicy,
  withOutputs = (outputs: readonly TransactionOutput[]) => createTemplate(outputs, template.change, template),
): bigint {
  const isEnough = (least: bigint): boolean => {
    const raised = withOutputs(raise(template.outputs, least))
    const { kind } = computeChange(raised, spent, policy)
    return kind === 'insufficient' ? fits(massesOf(raised, LARGE_UTXO, 0n)) : kind !== 'mass-exceeded'
  }
  let low = template.outputs.reduce((least, { value }) => (value < least ? value : least), template.paid)
  let high = low
  while (!isEnough(high)) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

const raise = (outputs: readonly TransactionOutput[], least: bigint): readonly TransactionOutput[] =>
  outputs.map((output) => (output.value < least ? { ...output, value: least } : output))

/** Offsets no storage mass: the inputs of a payment may do little more, whatever their number. */
const LARGE_UTXO: SpentTotals = { plurality: 1n, amount: MAX_SOMPI, harmonic: 0n, inputs: 1n }

/** How the outputs of a payment could be divided. */
interface OutputSplit {
  /** How many of the outputs, in their order, fit one transaction. */
  readonly first: number
  /** How many transactions pay all of them in their order; undefined where one of them fits none. */
  readonly transactions: number | undefined
}

/** Divides outputs into as few transactions as their order allows. */
function splitOutputs({ outputs, change, payload, input }: TransactionTemplate): OutputSplit {
  const isPayable = (some: readonly TransactionOutput[]): boolean =>
    fits(massesOf(createTemplate(some, change, { payload, input }), LARGE_UTXO, 0n))
  const first = countFitting(outputs, isPayable)
  let transactions = 1
  for (let paid = first; paid < outputs.length; transactions++) {
    const next = countFitting(outputs.slice(paid), isPayable)
    if (next === 0) return { first, transactions: undefined }
    paid += next
  }
  return { first, transactions: first === 0 ? undefined : transactions }
}

/** The length of the longest prefix that fits: masses rise with each output. */
function countFitting(
  outputs: readonly TransactionOutput[],
  isPayable: (some: readonly TransactionOutput[]) => boolean,
): number {
  let [low, high] = [0, outputs.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isPayable(outputs.slice(0, middle))) low = middle
    else high = middle - 1
  }
  return low
}
