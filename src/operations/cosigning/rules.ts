import { untrustedPskb, type UntrustedPskbReason } from '../../errors/cosigning-errors.js'
import { MAX_SOMPI, SOMPI_PER_KASPA } from '../../model/amount.js'
import { MASS_LIMITS, MINIMUM_FEERATE } from '../../model/mass.js'
import type { PsktInput, PsktOutput } from '../../model/pskb/records.js'
import { SIGHASH_TYPES } from '../../model/sighash.js'
import { toOutpointKey, type UtxoEntry } from '../../model/utxo.js'
import { feeOf, massOf, type BundleTransaction } from './bundle.js'
import type { BundleAccount, OwnScript } from './bundle-account.js'
import { typesOfFinalScript } from './verify-signature.js'

/** What a cosigner allows. */
export interface BundleAllowances {
  /** Sompi, of all transactions. @default the greater of 1 KAS and ten times the known minimum */
  readonly maxFee: bigint | undefined
  readonly foreignInputs: boolean
  readonly payload: boolean
}

/** A place that breaks a rule: the position of an input, or the whole transaction. */
type Broken = { readonly input: number | undefined } | undefined

interface RuleContext {
  readonly account: BundleAccount
  readonly allowed: BundleAllowances
  readonly bundle: readonly BundleTransaction[]
  /** The outpoints so far. */
  readonly seen: Set<string>
}

/** A rule for each transaction of a bundle. */
type Rule = (each: BundleTransaction, context: RuleContext) => Broken

const WHOLE: Broken = { input: undefined }
const when = (condition: boolean): Broken => (condition ? WHOLE : undefined)

/** The first input that breaks a rule. */
const firstInput = (
  { pskt, spent, inputs }: BundleTransaction,
  breaks: (input: PsktInput, at: number, entry: UtxoEntry | undefined, isOwn: boolean) => boolean,
): Broken => {
  const input = pskt.inputs.findIndex((each, at) => breaks(each, at, spent[at], inputs[at] !== undefined))
  return input === -1 ? undefined : { input }
}

/** In this order: a bundle may break several. */
const RULES: readonly (readonly [UntrustedPskbReason, Rule])[] = [
  ['version', ({ pskt: { global } }) => when(global.txVersion !== 0 || global.version > 1)],
  [
    'timed',
    (each) =>
      each.pskt.global.fallbackLockTime === null
        ? firstInput(each, ({ minTime, sequence }) => minTime !== null || isDelayed(sequence))
        : WHOLE,
  ],
  ['covenant', (each) => (each.pskt.outputs.some(isBound) ? WHOLE : firstInput(each, hasCovenant))],
  [
    'payload',
    ({ pskt: { global } }, { allowed }) => when(global.payload !== null && !(global.version === 1 && allowed.payload)),
  ],
  ['sighash', (each) => firstInput(each, ({ sighashType, finalScriptSig }) => !isAll(sighashType, finalScriptSig))],
  ['duplicate', isDuplicate],
  ['amounts', statesWrongAmounts],
  ['foreign-input', (each, { allowed }) => firstInput(each, (_, __, ___, isOwn) => !isOwn && !allowed.foreignInputs)],
  [
    'redeem-script',
    (each) => firstInput(each, (input, at) => isOther(input.redeemScript, each.inputs[at]?.redeemScript)),
  ],
  [
    'operations',
    (each, { account }) =>
      firstInput(each, ({ sigOpCount }, _, __, isOwn) => isOwn && sigOpCount !== account.value.cosigners.length),
  ],
  ['change', (each) => when(each.pskt.outputs.some((output, at) => isFalseChange(output, each.change[at])))],
  ['fee', isFeeTooHigh],
]

/** Throws `UntrustedPskbError` for the first rule that a bundle breaks. What only a node knows is not among them. */
export function requireRules(
  bundle: readonly BundleTransaction[],
  account: BundleAccount,
  allowed: BundleAllowances,
): void {
  const context = { account, allowed, bundle, seen: new Set<string>() }
  for (const [at, each] of bundle.entries())
    for (const [reason, rule] of RULES) {
      const broken = rule(each, context)
      if (broken !== undefined) throw untrustedPskb(reason, at, broken.input)
    }
}

const isBound = ({ covenant }: PsktOutput): boolean => covenant !== null
const hasCovenant = ({ utxoEntry }: PsktInput): boolean => (utxoEntry?.covenantId ?? null) !== null

/** Whether an input is spent only so long after its output that nodes refuse the payment today and take it later. */
const isDelayed = (sequence: bigint | null): boolean =>
  sequence !== null && sequence >> 63n === 0n && (sequence & 0xffff_ffffn) > MAX_AGE

/** DAA scores, some minutes: other software writes the position of an input as its sequence. */
const MAX_AGE = 1_000n

const isAll = (type: number, finalScript: string | null): boolean =>
  type === SIGHASH_TYPES.All && typesOfFinalScript(finalScript).every((each) => each === SIGHASH_TYPES.All)

/** An outpoint twice in the bundle, or a stated id that is another. */
function isDuplicate(each: BundleTransaction, { seen }: RuleContext): Broken {
  const { id } = each.pskt.global
  if (id !== null && id !== each.id) return WHOLE
  return firstInput(each, ({ previousOutpoint }) => {
    const key = toOutpointKey(previousOutpoint)
    if (seen.has(key)) return true
    seen.add(key)
    return false
  })
}

/** Amounts that are missing or impossible, or differ from the output of an earlier transaction of the bundle. */
function statesWrongAmounts(each: BundleTransaction, { bundle }: RuleContext): Broken {
  const { outputs } = each.transaction
  if (outputs.some(({ value }) => value === 0n || value > MAX_SOMPI)) return WHOLE
  return firstInput(each, ({ previousOutpoint: { transactionId, index } }, at, entry) => {
    if (entry === undefined || entry.amount === 0n || entry.amount > MAX_SOMPI) return true
    if (!each.chained.has(at)) return false
    const output = bundle.find(({ id }) => id === transactionId)?.transaction.outputs[index]
    return output === undefined || entry.isCoinbase || !isSameOutput(entry, output.value, output.scriptPublicKey)
  })
}

/** Whether an entry has this amount and script. */
export const isSameOutput = (
  entry: UtxoEntry,
  amount: bigint,
  { version, script }: UtxoEntry['scriptPublicKey'],
): boolean =>
  entry.amount === amount && entry.scriptPublicKey.version === version && entry.scriptPublicKey.script === script

/** A missing redeem script is derived; that of somebody else is not used. */
const isOther = (stated: string | null, derived: string | undefined): boolean =>
  stated !== null && derived !== undefined && stated !== derived

/** An output with a redeem script or paths is named as change. */
const isFalseChange = ({ redeemScript, bip32Derivations }: PsktOutput, own: OwnScript | undefined): boolean =>
  own === undefined ? redeemScript !== null || bip32Derivations.size > 0 : isOther(redeemScript, own.redeemScript)

/** The bound is that of all transactions: it is checked with the last one. */
function isFeeTooHigh(each: BundleTransaction, { bundle, allowed, account }: RuleContext): Broken {
  if (each.transaction.outputs.length === 0 || each.transaction.inputs.length === 0 || feeOf(each) < 0n) return WHOLE
  if (each !== bundle.at(-1)) return undefined
  const fee = bundle.reduce((sum, one) => sum + feeOf(one), 0n)
  const mass = bundle.reduce((sum, one) => sum + possibleMass(massOf(one, account.value.threshold)), 0n)
  return when(fee > (allowed.maxFee ?? defaultMaxFee(mass)))
}

/** No block takes more: a tiny output, which costs much storage mass, does not raise the bound. */
const possibleMass = (mass: bigint): bigint => (mass > MASS_LIMITS.storage ? MASS_LIMITS.storage : mass)

function defaultMaxFee(mass: bigint): bigint {
  const byMass = 10n * MINIMUM_FEERATE * mass
  return byMass > SOMPI_PER_KASPA ? byMass : SOMPI_PER_KASPA
}
