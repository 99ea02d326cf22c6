import { isInsufficientFunds, type InsufficientFundsError } from '../../errors/insufficient-funds.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import { createUtxoRows } from '../../model/utxo-source/rows.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import { toOutpointKey, toScriptKey, type Outpoint, type UtxoEntry } from '../../model/utxo.js'
import { checkEntries, type CheckedUtxos } from './check-entries.js'
import type { PendingPayments, TransactionDependencies } from './dependencies.js'
import { findEntries } from './find-entries.js'
import { fetchTerms, type NodeTerms } from './prepare.js'
import type { SendOptions } from './records.js'
import type { ClassifyScripts } from './script-classes.js'
import type { CheckedSettings } from './settings.js'
import { throwIfAborted } from './submit/throw-if-aborted.js'

/** Ms after which change is fetched again where no payment changes: nothing may follow its address. */
const POLL_INTERVAL = 1_000

/** A payment that can be planned. */
export interface Preparation {
  readonly settings: CheckedSettings
  readonly terms: NodeTerms
}

type FundsDependencies = Pick<TransactionDependencies, 'call' | 'payments' | 'replacedOf'> & {
  readonly classify: ClassifyScripts
}

/**
 * Plans a payment, and again while own payments reserve its UTXOs or are to return change of them, for `waitForFunds`
 * ms at most. Only the given UTXOs are spent, and the change of payments that spend them. Rejects as `plan` does, with
 * `ChainError` (`aborted`) by the signal, and as calls to the node do.
 */
export async function whenFunded<T>(
  preparation: Preparation,
  plan: (preparation: Preparation) => Promise<T>,
  { waitForFunds = 0, signal }: Pick<SendOptions, 'waitForFunds' | 'signal'>,
  { payments, ...dependencies }: FundsDependencies,
): Promise<T> {
  if (waitForFunds === 0 || payments === undefined) return plan(preparation)
  const until = payments.now() + waitForFunds
  const given = withoutOwnSpending(preparation.settings, payments.all())
  let next = preparation
  for (let plans = 1; ; plans++) {
    try {
      return await plan(next)
    } catch (error) {
      const left = until - payments.now()
      if (!isInsufficientFunds(error) || left <= 0) throw error
      const known = next.settings.utxos
      const change = changeOf(given, payments.all())
      const expected = findEntries(known, change.map(toOutpointOf)).size < change.length
      if (!expected && !mayBeReleased(error, payments)) throw error
      if (plans > 1) await payments.changed(Math.min(left, POLL_INTERVAL), signal)
    }
    throwIfAborted(signal)
    next = await prepareAgain(given, changeOf(given, payments.all()), dependencies)
  }
}

/** Whether a payment that is not accepted reserves some of the UTXOs, or another tab was faster. */
const mayBeReleased = ({ reserved, reservedBy }: InsufficientFundsError, { isPending }: PendingPayments): boolean =>
  reserved > 0n && (reservedBy.length === 0 || reservedBy.some(({ transactionId }) => isPending(transactionId)))

/** An output that returns to the payer. */
interface Change {
  readonly outpoint: Outpoint
  readonly address: string
}

const toOutpointOf = ({ outpoint }: Change): Outpoint => outpoint

/** The unspent change of payments that spend given UTXOs, directly and indirectly. */
function changeOf({ network, utxos, change }: CheckedSettings, all: Iterable<UnconfirmedTransaction>): Change[] {
  const payments = [...all]
  const spent = payments.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint))
  const from = new Set<string>(findEntries(utxos, spent).keys())
  const given = utxos.source.rows.parts.flatMap(({ columns: { scripts } }) => scripts)
  const own = new Set([change, ...given.map(({ scriptPublicKey }) => scriptPublicKey)].map(toScriptKey))
  const found = new Map<string, Change>()
  const left = new Set(payments)
  const isNext = ({ inputs }: UnconfirmedTransaction): boolean =>
    inputs.some(({ outpoint }) => from.has(toOutpointKey(outpoint)))
  for (let next = [...left].find(isNext); next !== undefined; next = [...left].find(isNext)) {
    left.delete(next)
    for (const [index, { scriptPublicKey }] of next.outputs.entries()) {
      const outpoint = { transactionId: next.id, index }
      if (!own.has(toScriptKey(scriptPublicKey))) continue
      from.add(toOutpointKey(outpoint))
      const address = toAddress(scriptPublicKey, NETWORKS[network].addressPrefix)
      if (address !== undefined) found.set(toOutpointKey(outpoint), { outpoint, address })
    }
  }
  for (const outpoint of spent) found.delete(toOutpointKey(outpoint))
  return [...found.values()]
}

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

/** The payment with the change that the node has as UTXOs, at the rates of now. */
async function prepareAgain(
  given: CheckedSettings,
  change: readonly Change[],
  { call, replacedOf, classify }: Omit<FundsDependencies, 'payments'>,
): Promise<Preparation> {
  const addresses = [...new Set(change.map(({ address }) => address))]
  const entries = addresses.length === 0 ? [] : (await call('getUtxosByAddresses', { addresses })).entries
  const wanted = new Set(change.map(({ outpoint }) => toOutpointKey(outpoint)))
  const known = findEntries(given.utxos, change.map(toOutpointOf))
  const isNew = ({ outpoint }: UtxoEntry): boolean =>
    wanted.has(toOutpointKey(outpoint)) && !known.has(toOutpointKey(outpoint))
  const added = checkEntries(entries.filter(isNew), given.network, classify)
  const settings = { ...given, utxos: join(given.utxos, added) }
  return { settings, terms: await fetchTerms(settings, call, replacedOf) }
}

function join(some: CheckedUtxos, more: CheckedUtxos): CheckedUtxos {
  const rows = createUtxoRows([...some.source.rows.parts, ...more.source.rows.parts])
  return { source: UtxoSource.of(rows, some.source.rule), classes: [...some.classes, ...more.classes] }
}
