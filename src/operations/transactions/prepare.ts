import { invalidArgument } from '../../errors/chain-error.js'
import { addressVersionOf } from '../../model/address.js'
import { isMature } from '../../model/maturity.js'
import { NETWORKS } from '../../model/network.js'
import type { Outpoint, UtxoEntry } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import type { FeeChoice } from './check-fee.js'
import type { Reservations } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import { toError } from './plan/failure.js'
import { rateOf, type Bid, type FeePolicy } from './plan/fee.js'
import { nodeMinimum } from './node-minimum.js'
import { plan } from './plan/plan.js'
import { openPurse } from './plan/purse.js'
import { askReplaced } from './replaced.js'
import type { CheckedSettings } from './settings.js'

/** What planning has to ask the node first. */
export interface Terms {
  readonly policy: FeePolicy
  /** The clock of maturity; 0n where no coin depends on it. */
  readonly virtualDaaScore: bigint
  /** Coins that must be spent: those of a transaction that is to be replaced. */
  readonly fixed: readonly UtxoEntry[]
}

/** Asks the node for what these settings leave to it; nothing where they leave nothing. Rejects with `ChainRpcError`. */
export async function askTerms({ fee, entries, replaces }: CheckedSettings, call: Call): Promise<Terms> {
  const [policy, virtualDaaScore, replaced] = await Promise.all([
    toPolicy(fee, call),
    toClock(entries, call),
    replaces === undefined ? undefined : askReplaced(replaces, entries, call),
  ])
  if (replaced === undefined) return { policy, virtualDaaScore, fixed: [] }
  requireMore(policy, replaced.bid)
  return { policy: { ...policy, outbid: replaced.bid }, virtualDaaScore, fixed: replaced.coins }
}

async function toPolicy(fee: FeeChoice, call: Call): Promise<FeePolicy> {
  return fee.kind === 'rate' ? fee : { kind: 'minimum', rate: await nodeMinimum(call) }
}

/** A rate of the caller's own that does not suffice is refused; what the node asks for at least is raised as needed. */
function requireMore({ kind, rate }: FeePolicy, bid: Bid): void {
  const least = rateOf(bid)
  if (kind === 'minimum' || rate > least) return
  throw invalidArgument(
    'feeRate',
    `"feeRate" must be above ${least} sompi per gram, which the transaction to be replaced pays`,
    'Leave feeRate out to pay the least that takes its place.',
  )
}

async function toClock(entries: readonly UtxoEntry[], call: Call): Promise<bigint> {
  if (!entries.some(({ isCoinbase }) => isCoinbase)) return 0n
  return (await call('getServerInfo', {})).virtualDaaScore
}

/**
 * The drafts of a payment, planned from what may be spent at this moment: whoever means to send reserves the coins before
 * anything else can run. Throws `ChainError`: `insufficient-funds`, `mass-exceeded`.
 */
export function draftPayment(
  { network, entries, outputs, change, payload, fee }: CheckedSettings,
  { policy, virtualDaaScore, fixed }: Terms,
  reservations: Pick<Reservations, 'isReserved'>,
): readonly Draft[] {
  const { coinbaseMaturity } = NETWORKS[network]
  const rules = {
    policy,
    isMature: (entry: UtxoEntry) => isMature(entry, virtualDaaScore, coinbaseMaturity),
    isReserved: (outpoint: Outpoint) => reservations.isReserved(outpoint),
  }
  const purse = openPurse(entries, rules, fixed)
  const priorityFee = fee.kind === 'minimum' ? fee.priorityFee : 0n
  const planned = plan({ outputs, change, payload, policy, priorityFee }, purse)
  if (planned.kind === 'impossible') throw toError(planned, purse, policy)
  return planned.drafts
}

/** Whether signing takes ECDSA, which is loaded only then. */
export const needsEcdsa = ({ entries }: CheckedSettings, { fixed }: Terms): boolean =>
  [...entries, ...fixed].some(({ scriptPublicKey }) => addressVersionOf(scriptPublicKey) === 'PubKeyECDSA')
