import { ChainError } from '../../../errors/chain-error.js'
import { insufficientFunds, outputTooSmall } from '../../../errors/payment-errors.js'
import { sompiToKaspa } from '../../../model/amount.js'
import { computeChange, minimumChangeCost } from './change.js'
import { compound } from './compound.js'
import { totalOf } from './draft.js'
import type { FeePolicy } from './fee.js'
import { minimumInputs, type Attempt, type Planned } from './plan.js'
import { smallestOutput } from './smallest-output.js'
import { splitOutputs } from './split-outputs.js'
import type { SpendableFunds } from './spendable-funds.js'
import { MASS_LIMIT, NOTHING_SPENT, canSpendInputs, type SpentTotals, type TransactionTemplate } from './template.js'

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
