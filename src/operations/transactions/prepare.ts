import { addressVersionOf } from '../../model/address.js'
import { isMature } from '../../model/maturity.js'
import { NETWORKS } from '../../model/network.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Reservations, RpcCall } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import { toError } from './plan/failure.js'
import type { FeePolicy } from './plan/fee.js'
import { nodeMinimum } from './node-minimum.js'
import { plan } from './plan/plan.js'
import { openPurse } from './plan/purse.js'
import type { CheckedSettings, FeeChoice } from './settings.js'

/** What planning has to ask the node first. */
export interface Terms {
  readonly policy: FeePolicy
  /** The clock of maturity; 0n where no coin depends on it. */
  readonly virtualDaaScore: bigint
}

/** Asks the node for what these settings leave to it; nothing where they leave nothing. Rejects with `ChainRpcError`. */
export async function askTerms({ fee, entries }: CheckedSettings, call: RpcCall): Promise<Terms> {
  const [policy, virtualDaaScore] = await Promise.all([toPolicy(fee, call), toClock(entries, call)])
  return { policy, virtualDaaScore }
}

async function toPolicy(fee: FeeChoice, call: RpcCall): Promise<FeePolicy> {
  return fee.kind === 'rate' ? fee : { kind: 'minimum', rate: await nodeMinimum(call) }
}

async function toClock(entries: readonly UtxoEntry[], call: RpcCall): Promise<bigint> {
  if (!entries.some(({ isCoinbase }) => isCoinbase)) return 0n
  return (await call('getServerInfo', {})).virtualDaaScore
}

/**
 * The drafts of a payment, planned from what may be spent at this moment: whoever means to send reserves the coins before
 * anything else can run. Throws `ChainError`: `insufficient-funds`, `mass-exceeded`.
 */
export function draftPayment(
  { network, entries, outputs, change, payload, fee }: CheckedSettings,
  { policy, virtualDaaScore }: Terms,
  reservations: Pick<Reservations, 'isReserved'>,
): readonly Draft[] {
  const { coinbaseMaturity } = NETWORKS[network]
  const purse = openPurse(entries, {
    policy,
    isMature: (entry) => isMature(entry, virtualDaaScore, coinbaseMaturity),
    isReserved: (outpoint) => reservations.isReserved(outpoint),
  })
  const priorityFee = fee.kind === 'minimum' ? fee.priorityFee : 0n
  const planned = plan({ outputs, change, payload, policy, priorityFee }, purse.coins)
  if (planned.kind === 'impossible') throw toError(planned, purse, policy)
  return planned.drafts
}

/** Whether signing takes ECDSA, which is loaded only then. */
export const needsEcdsa = ({ entries }: CheckedSettings): boolean =>
  entries.some(({ scriptPublicKey }) => addressVersionOf(scriptPublicKey) === 'PubKeyECDSA')
