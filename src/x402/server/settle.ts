import { firstValueFrom, merge, timer } from 'rxjs'
import { type X402Payment, isFinal } from '../settlement.js'
import type { X402Store } from '../stores/store.js'
import type { RequestScope } from './request-scope.js'
import { refuse, type Refusal } from './refusal.js'
import type { ChainWatch } from './watch-chain.js'

/** A settled payment: the scope says what its request gets. */
export interface Settled {
  readonly payment: X402Payment
}

export interface SettleContext {
  readonly store: X402Store
  readonly watch: ChainWatch
  /** Hands the transaction to the node, without waiting for its reply. */
  readonly submit: (payment: X402Payment) => void
  /** Payments whose handler runs in this process. */
  readonly handlers: ReadonlySet<string>
  readonly handlerTimeout: number
  readonly now: () => number
}

/** How often a payment is looked up that another instance serves, and submitted again, in ms. */
const LOOK_INTERVAL = 250
const SUBMIT_INTERVAL = 2_000

/**
 * Waits until a claimed payment is final and takes it for the handler of this request, or has its response, or is
 * refused; at the deadline it is pending. What the chain shows decides, not the reply of a node.
 */
export async function settleClaimed(
  claimed: X402Payment,
  scope: RequestScope,
  context: SettleContext,
): Promise<Settled | Refusal> {
  const { watch, submit } = context
  const left = (): number => (scope.deadline ?? 0) - performance.now()
  let submittedAt = -Infinity
  for (let payment = claimed; ; payment = await newest(payment, context)) {
    const decided = await decide(payment, scope, context)
    if (decided !== undefined) return decided
    if (left() <= 0) {
      scope.outcome = { type: 'pending' }
      return refuse('settlement_pending', 'The payment is not as deep as required yet: present it again')
    }
    const isMissing = payment.acceptedBlueScore === null && payment.state !== 'conflicting'
    if (isMissing && watch.tip() !== null && performance.now() - submittedAt >= SUBMIT_INTERVAL) {
      submittedAt = performance.now()
      submit(payment)
    }
    await untilChange(watch, Math.max(0, left()))
  }
}

/** What the state of a payment means for the request; undefined while it has to be waited for. */
async function decide(
  payment: X402Payment,
  scope: RequestScope,
  { watch, handlers, handlerTimeout, now }: SettleContext,
): Promise<Settled | Refusal | undefined> {
  const { state, servingSince, transactionId } = payment
  const tip = watch.tip()
  switch (state) {
    case 'accepted': {
      if (tip === null || !isFinal(payment, tip)) return undefined
      const handler = crypto.randomUUID()
      const taken = await watch.apply(payment, { type: 'taken', handler, blueScore: tip, at: now() })
      if (taken.handler !== handler) return undefined // another request was first
      if (!scope.hasHandler) return { payment: await watch.apply(taken, { type: 'responded', response: null }) }
      scope.outcome = { type: 'serving', payment: taken }
      return { payment: taken }
    }
    case 'served':
      if (payment.response === null) return refuse('already_served', 'The payment was served before')
      scope.outcome = { type: 'replay', response: payment.response }
      return { payment }
    case 'serving': {
      const isDead = !handlers.has(transactionId) && now() - (servingSince ?? 0) > handlerTimeout
      if (isDead) await watch.apply(payment, { type: 'abandoned' })
      return undefined
    }
    case 'recovery-required':
      return refuse('recovery_required', 'A handler began for this payment, and its result is not known')
    case 'conflicting':
    case 'rejected':
      return refuse('double_spent', 'The chain accepted another transaction that spends an input of the payment')
    case 'claimed':
    case 'broadcast':
      return undefined
  }
}

/** What this instance knows, or what another one has stored since. */
async function newest(payment: X402Payment, { store, watch }: SettleContext): Promise<X402Payment> {
  const known = watch.known(payment.transactionId) ?? payment
  if (known.state !== 'serving') return known
  const stored = await store.find(payment.network, payment.transactionId)
  if (stored === null) return known
  watch.follow(stored)
  return stored
}

/** Resolves with the next batch or change, after a short time, or at the deadline. */
const untilChange = (watch: ChainWatch, ms: number): Promise<unknown> =>
  firstValueFrom(merge(watch.changes$, timer(Math.min(ms, LOOK_INTERVAL))))
