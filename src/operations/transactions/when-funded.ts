import { isInsufficientFunds, type InsufficientFundsError } from '../../errors/payment-errors.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import { createUtxoRows } from '../../model/utxo-source/rows.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import { toOutpointKey, type Outpoint, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import { checkEntries, type CheckedUtxos, findEntries } from './check-entries.js'
import type { PendingPayments, TransactionDependencies } from './transaction-operations.js'
import { chainableOf, changeOf, type Change } from './own-change.js'
import { fetchTerms, prepareFunds, type Preparation } from './prepare.js'
import type { ClassifyScripts } from './script-classes.js'
import type { FundingOptions } from './check-payment.js'
import type { CheckedSettings } from './settings.js'
import { type MadePayments, throwIfAborted } from './submit/before-submission.js'

/** Ms after which change is fetched again where no payment changes: nothing may follow its address. */
const POLL_INTERVAL = 1_000

export interface FundsDependencies extends Pick<TransactionDependencies, 'call' | 'payments' | 'replacedOf'> {
  readonly classify: ClassifyScripts
  /** What a node has taken from this engine. */
  readonly made: Pick<MadePayments, 'has'>
}

/**
 * Plans a payment, and where its funds do not suffice again: with change that may be spent before it is accepted
 * (`chainDepth`), and while own payments reserve its UTXOs or are to return change of them, for `waitForFunds` ms at
 * most. Only the given UTXOs are spent, and the change of payments that spend them. Rejects as `plan` does, with
 * `ChainError` (`aborted`) by the signal, and as calls to the node do. Loaded with the first payment that has one of
 * the two options.
 */
export async function whenFunded<T>(
  preparation: Preparation,
  plan: (preparation: Preparation) => Promise<T>,
  { waitForFunds = 0, chainDepth = 0, signal }: FundingOptions,
  { payments, ...dependencies }: FundsDependencies & { readonly payments: PendingPayments },
): Promise<T> {
  const until = payments.now() + waitForFunds
  const given = withoutOwnSpending(preparation.settings, payments.all())
  const limit = given.replaces === undefined ? chainDepth : 0
  let next = preparation
  for (let plans = 1; ; plans++) {
    try {
      return await plan(next)
    } catch (error) {
      const left = until - payments.now()
      if (!isInsufficientFunds(error) || (plans > 1 && left <= 0)) throw error
      const change = changeOf(given, [...payments.all()])
      const isExpected = findEntries(next.settings.utxos, change.map(toOutpointOf)).size < change.length
      if (!isExpected && !mayBeReleased(error, payments)) throw error
      if (plans > 1) await payments.changed(Math.min(left, POLL_INTERVAL), signal)
    }
    throwIfAborted(signal)
    const all = [...payments.all()]
    const change = changeOf(given, all)
    const rules = { limit, isPending: payments.isPending, isRelayed: dependencies.made.has }
    next = await prepareAgain(given, change, chainableOf(change, all, rules), dependencies)
  }
}

const toOutpointOf = ({ outpoint }: UtxoEntry): Outpoint => outpoint

/** Whether a payment that is not accepted reserves some of the UTXOs, or another tab was faster. */
const mayBeReleased = ({ reserved, reservedBy }: InsufficientFundsError, { isPending }: PendingPayments): boolean =>
  reserved > 0n && (reservedBy.length === 0 || reservedBy.some(({ transactionId }) => isPending(transactionId)))

/**
 * What unconfirmed payments of this engine spend is known at each time; what a tracker knew of others stays out. The
 * change is younger than the score of a tracker.
 */
function withoutOwnSpending(settings: CheckedSettings, payments: Iterable<UnconfirmedTransaction>): CheckedSettings {
  const { rows, rule } = settings.utxos.source
  if (rule === null) return settings
  const own = new Set([...payments].flatMap(({ inputs }) => inputs.map(({ outpoint }) => toOutpointKey(outpoint))))
  const spent = rule.spent.filter((outpoint) => !own.has(toOutpointKey(outpoint)))
  const source = UtxoSource.of(rows, { ...rule, score: 2n ** 64n - 1n, spent })
  return { ...settings, utxos: { ...settings.utxos, source } }
}

/** The payment with the change that the node has as UTXOs, or that may be spent before, at the rates of now. */
async function prepareAgain(
  given: CheckedSettings,
  change: readonly Change[],
  chainable: readonly Change[],
  { call, replacedOf, classify }: Omit<FundsDependencies, 'payments'>,
): Promise<Preparation> {
  const addresses = [...new Set(change.map(({ address }) => address))]
  const reported = addresses.length === 0 ? [] : (await call('getUtxosByAddresses', { addresses })).entries
  const known = findEntries(given.utxos, change.map(toOutpointOf))
  const wanted = new Map<OutpointKey, UtxoEntry>()
  for (const entry of change) if (!known.has(keyOf(entry))) wanted.set(keyOf(entry), entry)
  const accepted = reported.flatMap(({ outpoint, blockDaaScore }) => {
    const own = wanted.get(toOutpointKey(outpoint))
    return own === undefined ? [] : { ...own, blockDaaScore } // a node may report another amount
  })
  for (const entry of accepted) wanted.delete(keyOf(entry))
  const early = chainable.filter((entry) => wanted.has(keyOf(entry)))
  const added = checkEntries([...accepted, ...early], given.network, given.account?.classifyBy(classify) ?? classify)
  const settings = { ...given, utxos: join(given.utxos, added) }
  return prepareFunds(settings, fetchTerms(settings, call, replacedOf))
}

const keyOf = ({ outpoint }: UtxoEntry): OutpointKey => toOutpointKey(outpoint)

function join(some: CheckedUtxos, more: CheckedUtxos): CheckedUtxos {
  const rows = createUtxoRows([...some.source.rows.parts, ...more.source.rows.parts])
  return { source: UtxoSource.of(rows, some.source.rule), classes: [...some.classes, ...more.classes] }
}
