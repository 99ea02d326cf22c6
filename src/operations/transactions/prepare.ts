import { invalidArgument } from '../../errors/chain-error.js'
import { whenFinished, type Steps } from '../../loading/steps.js'
import { NETWORKS } from '../../model/network.js'
import { COINBASE, isDead } from '../../model/utxo-columns/columns.js'
import type { UtxoRows } from '../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { type FeeChoice, requireFeeWithin, requireLeastFeeWithin } from './payment-fee.js'
import type { Reservations } from './transaction-operations.js'
import { requireDistinctInputs, type Draft } from './plan/draft.js'
import { toError } from './plan/failure.js'
import { feerateOf, type PaidFee, type FeePolicy, fetchFeeRates } from './plan/fee.js'
import { plan } from './plan/plan.js'
import { sortFunds, spendableFunds, type SortedFunds, type SpendableFunds } from './plan/spendable-funds.js'
import { fetchReplaced, type Replaced } from './replaced.js'
import type { CheckedSettings } from './settings.js'

/** What planning needs from the node. */
export interface NodeTerms {
  readonly policy: FeePolicy
  /** Sompi per gram; undefined where the settings define the rate. */
  readonly nodeFeeRate: number | undefined
  /** Decides maturity; 0n where no entry is a coinbase output. */
  readonly virtualDaaScore: bigint
  /** UTXOs that must be spent: those of the transaction to be replaced. */
  readonly fixed: readonly UtxoEntry[]
}

/** Fetches only what the settings do not define. Rejects with `ChainRpcError`. */
export async function fetchTerms(
  settings: CheckedSettings,
  call: Call,
  replacedOf: ((transactionId: string) => Replaced | Promise<Replaced> | undefined) | undefined,
): Promise<NodeTerms> {
  const { fee, utxos, replaces, account } = settings
  const [{ policy, nodeFeeRate }, virtualDaaScore, replaced] = await Promise.all([
    fetchPolicy(fee, call),
    toVirtualDaaScore(utxos.source.rows, call),
    replaces === undefined ? undefined : (replacedOf?.(replaces) ?? fetchReplaced(replaces, settings, call)),
  ])
  const known = { nodeFeeRate, virtualDaaScore }
  const paying = { ...policy, input: account?.input }
  if (replaced === undefined) return { ...known, policy: paying, fixed: [] }
  requireHigherRate(fee, replaced.paidFee)
  account?.requireOwn(replaced.utxos)
  return { ...known, policy: { ...paying, replacedFee: replaced.paidFee }, fixed: replaced.utxos }
}

async function fetchPolicy(fee: FeeChoice, call: Call): Promise<Pick<NodeTerms, 'policy' | 'nodeFeeRate'>> {
  if (fee.kind === 'rate') return { policy: fee, nodeFeeRate: undefined }
  const rates = await fetchFeeRates(call)
  const rate = fee.kind === 'named' ? rates[fee.name] : rates.minimum
  return { policy: { kind: fee.kind === 'named' ? 'rate' : 'minimum', rate }, nodeFeeRate: rate }
}

/** Throws where the caller's rate is too low for a replacement; a rate of the node is raised as needed. */
function requireHigherRate(fee: FeeChoice, bid: PaidFee): void {
  const least = feerateOf(bid)
  if (fee.kind !== 'rate' || fee.rate > least) return
  throw invalidArgument(
    'feeRate',
    `"feeRate" must be above ${least} sompi per gram, which the transaction to be replaced pays`,
    'Leave feeRate out to pay the minimum for a replacement.',
  )
}

async function toVirtualDaaScore(rows: UtxoRows, call: Call): Promise<bigint> {
  if (!hasCoinbase(rows)) return 0n
  return (await call('getServerInfo', {})).virtualDaaScore
}

const hasCoinbase = ({ parts }: UtxoRows): boolean =>
  parts.some(({ columns: { flags }, dead }) => flags.some((flag, row) => (flag & COINBASE) !== 0 && !isDead(dead, row)))

/** A payment, or a transaction of contracts, that can be planned. */
export interface Preparation<Settings extends CheckedSettings = CheckedSettings> {
  readonly settings: Settings
  readonly terms: NodeTerms
  readonly funds: SortedFunds
}

/**
 * Sorts the UTXOs of a payment while the node responds, and splits them by its terms, in slices of a few ms: a million
 * of them would hold up a page for a third of a second. Rejects as `terms` does.
 */
export async function prepareFunds<Settings extends CheckedSettings>(
  settings: Settings,
  terms: Promise<NodeTerms>,
): Promise<Preparation<Settings>> {
  const sorted = whenFinished(settings.utxos.source.rows.sortByAmount())
  const [known] = await Promise.all([terms, sorted])
  return { settings, terms: known, funds: await whenFinished(sortFundsOf(settings, known)) }
}

function sortFundsOf(
  { network, utxos, spendsBound, signer }: CheckedSettings,
  { policy, virtualDaaScore, fixed }: NodeTerms,
): Steps<SortedFunds> {
  signer?.requireInputs(fixed)
  const latestCoinbase = virtualDaaScore - NETWORKS[network].coinbaseMaturity
  return sortFunds(utxos, { policy, latestCoinbase, spendsBound, signer }, fixed)
}

type KnownReservations = Pick<Reservations, 'reserved' | 'payments'>

/**
 * The drafts of a payment, planned from the UTXOs that are spendable now. A caller that sends must reserve them in the
 * same task. `maxInputs` limits the UTXOs of a consolidation to the smallest ones. Throws `ChainError`:
 * `insufficient-funds`, `mass-exceeded`, `fee-too-high`, `malformed` where a UTXO would be spent twice.
 */
export function draftPayment(
  preparation: Preparation,
  reservations: KnownReservations,
  maxInputs = Infinity,
): readonly Draft[] {
  const { outputs, change, payload, fee, maxFee, signer } = preparation.settings
  const { policy, nodeFeeRate } = preparation.terms
  const funds = smallestOf(fundsOf(preparation, reservations), maxInputs)
  const priorityFee = fee.kind === 'minimum' ? fee.priorityFee : 0n
  const planned = plan({ outputs, change, payload, policy, priorityFee, maxInputs: signer?.maxInputs }, funds)
  const bound = { maxFee, nodeFeeRate }
  if (planned.kind === 'impossible') {
    requireLeastFeeWithin(bound, planned.template, policy)
    throw toError(planned, funds, policy)
  }
  requireDistinctInputs(planned.drafts)
  requireFeeWithin(bound, planned.drafts)
  return planned.drafts
}

/** The UTXOs that can be spent now. */
export const fundsOf = (
  { funds }: Pick<Preparation, 'funds'>,
  { reserved, payments }: KnownReservations,
): SpendableFunds => spendableFunds(funds, { reserved: reserved(), payments: payments?.() })

/** The funds with at most `count` UTXOs, the smallest ones. */
function smallestOf(funds: SpendableFunds, count: number): SpendableFunds {
  if (funds.utxos.length <= count) return funds
  const utxos = funds.utxos.slice(-count)
  const spendable = utxos.reduce((sum, { amount }) => sum + amount, 0n)
  return { ...funds, utxos, sums: () => ({ ...funds.sums(), spendable }) }
}
