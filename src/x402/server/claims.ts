import type { PaymentRequirements } from '@x402/core/types'
import type { ChainEngine } from '../../engine/engine.js'
import { sleep, abortable } from '../../loading/abortable.js'
import { toOutpointKey } from '../../model/utxo.js'
import { confirmationsOf } from '../binding/offer.js'
import type { X402Payment } from '../settlement.js'
import type { X402Store } from '../stores/store.js'
import { checkExpiry, type CheckedPayment } from './check-payment.js'
import { refuse, type Refusal } from './refusal.js'
import type { RequestScope } from './request-scope.js'
import type { ChainWatch } from './watch-chain.js'

export interface ClaimContext {
  readonly engine: Pick<ChainEngine, 'rpc'>
  readonly store: X402Store
  readonly watch: ChainWatch
  /** As x402 names it. */
  readonly network: X402Payment['network']
  /** Confirmations where an offer states none. */
  readonly finality: number
  readonly closed: AbortSignal
}

/** Claims payments before anything of them is sent. */
export interface Claims {
  /** Why a payment cannot be claimed for this request, if so. Rejects at the deadline of its request. */
  readonly check: (
    found: CheckedPayment,
    requirements: PaymentRequirements,
    scope: RequestScope,
  ) => Promise<Refusal | undefined>
  /** The payment of the store, claimed now or before. Rejects at the deadline of its request. */
  readonly claim: (
    found: CheckedPayment,
    requirements: PaymentRequirements,
    scope: RequestScope,
  ) => Promise<X402Payment | Refusal>
}

export function createClaims({ engine, store, watch, network, finality, closed }: ClaimContext): Claims {
  /** Whether the node has what a payment spends: one call, of a payment whose signatures fit the outputs it names. */
  async function checkOutputs({ verified }: CheckedPayment, signal: AbortSignal): Promise<Refusal | undefined> {
    const { transaction, spent } = verified
    const wanted = transaction.inputs.map(({ previousOutpoint }, index) => ({
      outpoint: previousOutpoint,
      scriptPublicKey: spent[index]?.scriptPublicKey ?? { version: 0, script: '' },
    }))
    const entries = await engine.rpc.getUtxosByOutpoints(wanted, { signal })
    const isSame = entries.every((entry, index) => entry !== null && entry.amount === spent[index]?.amount)
    if (!isSame) return refuse('invalid_utxo', 'It spends what is no UTXO, or was spent')
    const isBound = entries.some((entry) => entry?.covenantId !== undefined)
    return isBound ? refuse('invalid_utxo', 'It spends the output of a contract') : undefined
  }

  /** An operator may have recovered it through another instance. */
  async function lookUp({ verified: { id } }: CheckedPayment): Promise<X402Payment | null> {
    const known = watch.known(id)
    return known === undefined || known.state === 'recovery-required' ? store.find(network, id) : known
  }

  /** Whether a payment can be claimed that is not in the store: it may expire during the call. */
  async function checkNew(
    found: CheckedPayment,
    { maxTimeoutSeconds }: PaymentRequirements,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const late = (): Refusal | undefined => checkExpiry(found.expiresAt, maxTimeoutSeconds, Date.now())
    return late() ?? (await checkOutputs(found, signal)) ?? late()
  }

  async function claimOnce(
    found: CheckedPayment,
    requirements: PaymentRequirements,
    signal: AbortSignal,
  ): Promise<X402Payment | Refusal> {
    const { verified, payloadHash } = found
    const stored = await lookUp(found)
    if (stored !== null) return join(stored, found)
    const refused = await checkNew(found, requirements, signal)
    if (refused !== undefined) return refused
    const claimed = await store.claim({
      network,
      transactionId: verified.id,
      state: 'claimed',
      requestHash: found.requestHash,
      payloadHash,
      outpoints: verified.transaction.inputs.map(({ previousOutpoint }) => toOutpointKey(previousOutpoint)),
      payTo: found.payTo,
      amount: found.amount,
      payer: found.payer,
      transaction: found.transactionText,
      confirmations: confirmationsOf(requirements) ?? finality,
      acceptedBlueScore: null,
      conflict: null,
      wasServed: false,
      handler: null,
      servingSince: null,
      response: null,
      version: 0,
      claimedAt: Date.now(),
    })
    if (claimed.type === 'taken') return refuse('input_claimed', `${claimed.transactionId} spends an input of it`)
    return join(claimed.payment, found)
  }

  function join(payment: X402Payment, { requestHash }: CheckedPayment): X402Payment | Refusal {
    if (payment.requestHash !== requestHash) return usedElsewhere
    watch.follow(payment)
    return watch.known(payment.transactionId) ?? payment
  }

  /** One that is claimed already has no expiry: it was paid in time. */
  async function checkOnce(
    found: CheckedPayment,
    requirements: PaymentRequirements,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const stored = await lookUp(found)
    if (stored === null) return checkNew(found, requirements, signal)
    return stored.requestHash === found.requestHash ? undefined : usedElsewhere
  }

  /** Rejects at the deadline of the request, or when the facilitator is closed. */
  async function inTime<T>({ deadline = 0 }: RequestScope, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController()
    const signal = AbortSignal.any([late.signal, closed])
    const limit = sleep(Math.max(0, deadline - performance.now()), signal).then(() =>
      late.abort(new Error('The node did not respond in time')),
    )
    try {
      return await abortable(signal, () => work(signal))
    } finally {
      late.abort(new Error('Ended'))
      await limit
    }
  }

  return {
    check: (found, requirements, scope) => inTime(scope, (signal) => checkOnce(found, requirements, signal)),
    claim: (found, requirements, scope) => inTime(scope, (signal) => claimOnce(found, requirements, signal)),
  }
}

export const usedElsewhere = /*#__PURE__*/ refuse('already_used', 'The payment was made for another request')
