import { ChainError } from '../errors/chain-error.js'
import { ChainCryptoError } from '../errors/crypto-error.js'
import { isInsufficientFunds, isSignerLimit } from '../errors/payment-errors.js'
import { ChainNotReadyError } from '../errors/not-ready-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { ChainWalletError } from '../errors/wallet-error.js'
import { toOutpointKey, type UtxoEntry } from '../model/utxo.js'
import type { PaymentOutput, PendingTx } from '../operations/transactions/records.js'
import type { AttemptKind, PayoutAttempt, PayoutRecord } from '../streams/payouts/journal.js'
import type { WaitingReason } from '../streams/payouts/progress.js'
import type { CheckedOptions } from './options.js'
import type { QueueNode } from './queue-node.js'

/** Why nothing could be signed. `too-heavy`: fewer payments may fit. `inputs`: UTXOs have to be joined first. */
export type Obstacle =
  | {
      readonly kind: 'waiting'
      readonly reason: WaitingReason
      readonly missing: bigint | null
      readonly error: unknown
    }
  | { readonly kind: 'too-heavy' }
  | { readonly kind: 'inputs' }

/** A plan that is not signed yet. */
export interface PlannedPayment {
  readonly kind: 'planned'
  readonly transaction: PendingTx
}

export interface PlanContext {
  readonly node: QueueNode
  readonly options: CheckedOptions
  readonly signal: AbortSignal
}

/** Plans one transaction. Without outputs it joins the UTXOs. */
export async function planOnce(
  outputs: readonly PaymentOutput[],
  entries: readonly UtxoEntry[],
  { node, options, signal }: PlanContext,
  replacement?: { readonly replaces: string; readonly feeRate?: number | undefined },
): Promise<PlannedPayment | Obstacle> {
  const { changeAddress, fee, signer } = options
  try {
    const { transactions } = await node.create(
      {
        entries,
        changeAddress,
        maxFee: fee.maxFee,
        ...(outputs.length > 0 && { outputs }),
        ...(signer !== undefined && { signer }),
        ...(replacement ?? { feeRate: fee.feeRate }),
      },
      { signal },
    )
    const [transaction, ...further] = transactions
    if (transaction === undefined || further.length > 0) return { kind: 'inputs' }
    return { kind: 'planned', transaction }
  } catch (error) {
    signal.throwIfAborted()
    return toObstacle(error)
  }
}

/** Signs a plan; the attempt is not stored yet. */
export async function signPlan(
  { transaction }: PlannedPayment,
  { pays, kind, number }: { readonly pays: readonly string[]; readonly kind: AttemptKind; readonly number: number },
  { options, signal }: PlanContext,
): Promise<PayoutAttempt | Obstacle> {
  try {
    await transaction.signAsync(options.keysOrSigner, { signal })
  } catch (error) {
    signal.throwIfAborted()
    return toObstacle(error)
  }
  return {
    transactionId: transaction.id,
    number,
    kind,
    signed: transaction.serialize(),
    fee: transaction.fee,
    pays,
    acceptedBlueScore: null,
    acceptingBlock: null,
    outcome: null,
    lastResponse: null,
  }
}

export const toOutput = ({ address, amount }: PayoutRecord): PaymentOutput => ({ address, amount })

/** Of keys, of a module that is not ready, and of a device. */
const SIGNER_ERRORS = [ChainCryptoError, ChainNotReadyError, ChainWalletError]

const ofSigner = (error: unknown): Obstacle => ({ kind: 'waiting', reason: 'signer', missing: null, error })

/** Throws what is no obstacle of a payment but a fault. */
function toObstacle(error: unknown): Obstacle {
  if (isInsufficientFunds(error))
    return { kind: 'waiting', reason: 'funds', missing: error.required - error.spendable, error }
  if (SIGNER_ERRORS.some((type) => error instanceof type)) return ofSigner(error)
  if (error instanceof ChainRpcError) return { kind: 'waiting', reason: 'node', missing: null, error }
  if (isSignerLimit(error)) return error.limit === 'maxRecipients' ? { kind: 'too-heavy' } : ofSigner(error)
  if (!(error instanceof ChainError)) throw error
  switch (String(error.code)) {
    case 'fee-too-high':
      return { kind: 'waiting', reason: 'fee-too-high', missing: null, error }
    case 'mass-exceeded':
      return { kind: 'too-heavy' }
    case 'contract-address': // of an instance that was created since the queue was read
      return { kind: 'waiting', reason: 'recipient', missing: null, error }
    case 'malformed':
    case 'unexpected-response':
      return { kind: 'waiting', reason: 'node', missing: null, error }
    default:
      throw error
  }
}

/** The inputs of an attempt as entries, for a replacement. */
export function spentEntries({ signed }: PayoutAttempt): readonly UtxoEntry[] {
  const spent = signed.restore?.spent ?? []
  return signed.inputs.flatMap(({ previousOutpoint }, at) => {
    const output = spent[at]
    if (output === undefined) return []
    const { amount, scriptPublicKey } = output
    return [
      {
        outpoint: previousOutpoint,
        amount: BigInt(amount),
        scriptPublicKey,
        blockDaaScore: 0n,
        isCoinbase: false,
      },
    ]
  })
}

/** The entries without those that an attempt spends. */
export function withoutSpent(entries: readonly UtxoEntry[], { signed }: PayoutAttempt): readonly UtxoEntry[] {
  const spent = new Set(signed.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)))
  return entries.filter(({ outpoint }) => !spent.has(toOutpointKey(outpoint)))
}
