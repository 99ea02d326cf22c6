import { ChainError } from '../../../errors/chain-error.js'
import { insufficientFunds } from '../../../errors/insufficient-funds.js'
import { outputTooSmall } from '../../../errors/output-too-small.js'
import { sompiToKaspa } from '../../../model/amount.js'
import type { StorageTotals } from '../../../model/storage-mass.js'
import { gather } from './compound.js'
import { totalOf } from './draft.js'
import type { FeePolicy } from './fee.js'
import { MASS_LIMIT, hasRoomFor, roomOf, type Frame } from './frame.js'
import { leastInputs, type Attempt, type Planned } from './plan.js'
import type { Purse } from './purse.js'
import { leastRest, settle } from './settle.js'
import { smallestOutput } from './smallest-output.js'

/** What to tell the caller of a plan that cannot be. */
export function toError(
  { frame, attempt }: Extract<Planned, { kind: 'impossible' }>,
  purse: Purse,
  policy: FeePolicy,
): ChainError {
  const inputs = leastInputs(purse)
  if (!hasRoomFor(frame, inputs)) return noRoom(frame, inputs)
  if (attempt?.settlement.kind === 'too-heavy') return tooSmall(frame, attempt, attempt.settlement.storage, policy)
  if (attempt?.settlement.kind === 'odd') return oddRest(frame, attempt, attempt.settlement.excess, purse, policy)
  return tooLittle(frame, purse, policy)
}

function noRoom(frame: Frame, inputs: number): ChainError {
  const argument = frame.payload === '' ? 'outputs' : 'payload'
  return new ChainError(
    `There is no room for ${inputs === 1 ? 'an input' : `${inputs} inputs`} beside the ${argument}`,
    {
      code: 'mass-exceeded',
      argument,
      hint: `A transaction weighs at most ${MASS_LIMIT} grams: pay fewer recipients at a time, or carry less.`,
    },
  )
}

function tooSmall(frame: Frame, { candidate }: Attempt, storageMass: bigint, policy: FeePolicy): ChainError {
  const values = frame.outputs.map(({ value }) => value)
  const index = values.reduce((least, value, at) => (value < (values[least] ?? value) ? at : least), 0)
  const smallest = smallestOutput(frame, candidate.spent, policy)
  return outputTooSmall(
    `outputs[${index}].amount`,
    `An output of ${sompiToKaspa(values[index] ?? 0n)} KAS is too small: the smallest is ${sompiToKaspa(smallest)} KAS`,
    { smallest, storageMass, limit: MASS_LIMIT },
    'Nodes count an output as 1,000,000,000,000 grams divided by its sompi, take off the same for the inputs, and allow 500,000 a transaction (KIP-9).',
  )
}

function oddRest(frame: Frame, { candidate }: Attempt, excess: bigint, purse: Purse, policy: FeePolicy): ChainError {
  const { spendable, immature, reserved, dust } = purse
  const least = leastRest(frame, candidate.spent, policy)
  const required = frame.paid + frame.priorityFee + least + (spendable - candidate.spent.amount)
  if (frame.outputs.length === 0) return tooLittleToMove(purse, required)
  return insufficientFunds(
    `${sompiToKaspa(excess)} KAS would be left over: too much for a fee of ${policy.rate} sompi per gram, too little for an output of its own`,
    { spendable, immature, reserved, dust, required },
    `Pay ${sompiToKaspa(excess)} KAS more, or ${sompiToKaspa(least - excess)} KAS less; or give priorityFee in place of feeRate.`,
  )
}

const tooLittleToMove = ({ spendable, immature, reserved, dust }: Purse, required: bigint): ChainError =>
  insufficientFunds(
    `${sompiToKaspa(spendable)} KAS are too little to be moved: what the fee leaves of them is too small for an output`,
    { spendable, immature, reserved, dust, required },
    'Move them together with other coins.',
  )

function tooLittle(frame: Frame, purse: Purse, policy: FeePolicy): ChainError {
  const { spendable, immature, reserved, dust } = purse
  const required = requiredOf(frame, purse, policy)
  const beside = [
    ['are mined and not ripe yet', immature],
    ['are taken by payments under way', reserved],
    ['lie in coins that cost more to spend than they hold', dust],
  ] as const
  const reasons = beside.filter(([, sum]) => sum > 0n).map(([what, sum]) => `${sompiToKaspa(sum)} KAS ${what}.`)
  return insufficientFunds(
    `${sompiToKaspa(required)} KAS are needed, fee included, and ${sompiToKaspa(spendable)} KAS can be spent`,
    { spendable, immature, reserved, dust, required },
    reasons.join(' ') || 'Pay less, or from more addresses.',
  )
}

/** Outputs and fees, were all coins spent: always more than they hold. */
function requiredOf(frame: Frame, { fixed, coins, spendable }: Purse, policy: FeePolicy): bigint {
  const all = [...fixed, ...coins]
  const gathered = all.length === 0 ? undefined : gather(all, roomOf(frame), policy)
  const spent = gathered === undefined ? NO_COIN : totalOf(gathered.coins)
  const settlement = settle(frame, spent, policy)
  const missing = settlement.kind === 'short' ? settlement.missing : leastRest(frame, spent, policy)
  const required = (gathered === undefined ? 0n : spendable) + missing
  return required > spendable ? required : spendable + 1n
}

/** An input that holds nothing: whoever has no coin is told the fee of a payment from one. */
const NO_COIN: StorageTotals = { places: 1n, amount: 0n, harmonic: 0n }
