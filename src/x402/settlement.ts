import type { OutpointKey } from '../model/utxo.js'

/**
 * How far a payment is. `claimed`: stored, and no byte of it was sent by this turn. `broadcast`: a node may have it.
 * `accepted`: the chain shows it, not yet as deep as required, or not yet served. `serving`: one handler runs for it.
 * `served`: its response is stored. `recovery-required`: a handler began and its result is not known. `conflicting`:
 * the chain shows one of its inputs spent by another transaction. `rejected`: that is ten blocks deep.
 */
export type SettlementState =
  | 'claimed'
  | 'broadcast'
  | 'accepted'
  | 'serving'
  | 'served'
  | 'recovery-required'
  | 'conflicting'
  | 'rejected'

/** The response of a handler, as it is repeated. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Base64. */
  readonly body: string
}

/** A payment of the store. */
export interface X402Payment {
  readonly network: string
  readonly transactionId: string
  readonly state: SettlementState
  /** What it pays for. */
  readonly requestHash: string
  /** SHA-256 of the signed payment: an identical header is served without another verification. */
  readonly payloadHash: string
  /** What it spends. */
  readonly outpoints: readonly OutpointKey[]
  readonly payTo: string
  /** Sompi. */
  readonly amount: bigint
  /** The address of the input that signed. */
  readonly payer: string
  /** The signed transaction as JSON text, to be submitted again. */
  readonly transaction: string
  /** How deep it must be before it is served, in blue score. */
  readonly confirmations: number
  /** The blue score of the accepting block; null where the chain does not show it. */
  readonly acceptedBlueScore: bigint | null
  /** Who spends one of its inputs in its place; itself where a reorg removed what it spends. */
  readonly conflict: { readonly transactionId: string; readonly blueScore: bigint } | null
  /** Whether a handler ran for it: then it is never run again. */
  readonly wasServed: boolean
  /** Which request's handler ran, and when it began, Unix ms. */
  readonly handler: string | null
  readonly servingSince: number | null
  /** Null also where it was too large to be stored. */
  readonly response: StoredResponse | null
  readonly version: number
  readonly claimedAt: number
}

/** What happens to a payment. */
export type SettlementEvent =
  /** Its bytes were handed to a node, whatever that replied. */
  | { readonly type: 'submitted' }
  | { readonly type: 'accepted'; readonly blueScore: bigint }
  /** The chain accepted another transaction that spends one of its inputs. */
  | { readonly type: 'conflicted'; readonly transactionId: string; readonly blueScore: bigint }
  /** A reorg: everything above this blue score is undone. */
  | { readonly type: 'rolled-back'; readonly blueScore: bigint }
  /** The chain was read up to this blue score. */
  | { readonly type: 'advanced'; readonly blueScore: bigint }
  /** A handler takes it: the one that stores this runs. */
  | { readonly type: 'taken'; readonly handler: string; readonly blueScore: bigint; readonly at: number }
  | { readonly type: 'responded'; readonly response: StoredResponse | null }
  /** The handler failed, or its process ended. */
  | { readonly type: 'abandoned' }
  /** An operator supplies the result that a handler had. */
  | { readonly type: 'recovered'; readonly response: StoredResponse }

/** What is to be done after an event. `report`: a served payment was double-spent, which an operator has to know. */
export type SettlementCommand = 'submit' | 'release' | 'report'

export interface SettlementStep {
  /** The same object where the event has no meaning in its state. */
  readonly payment: X402Payment
  readonly commands: readonly SettlementCommand[]
}

/** How deep a conflict must be, in blue score, until the payment can never be accepted in words. */
export const REJECTED_DEPTH = 10n

/** The next state of a payment, and what follows from it. Repeated events change nothing. */
export function reduceSettlement(payment: X402Payment, event: SettlementEvent): SettlementStep {
  const next = reduce(payment, event)
  if (next === payment) return { payment, commands: [] }
  return { payment: { ...next, version: payment.version + 1 }, commands: commandsOf(payment, next) }
}

function reduce(payment: X402Payment, event: SettlementEvent): X402Payment {
  const { state } = payment
  switch (event.type) {
    case 'submitted':
      return state === 'claimed' ? { ...payment, state: 'broadcast' } : payment
    case 'accepted':
      return accept(payment, event.blueScore)
    case 'conflicted': {
      const { transactionId, blueScore } = event
      const isKnown = payment.conflict?.transactionId === transactionId && payment.conflict.blueScore === blueScore
      if (isKnown || state === 'rejected') return payment
      return { ...payment, state: 'conflicting', acceptedBlueScore: null, conflict: { transactionId, blueScore } }
    }
    case 'rolled-back':
      return rollBack(payment, event.blueScore)
    case 'advanced': {
      const { conflict } = payment
      const isDeep = conflict !== null && event.blueScore - conflict.blueScore >= REJECTED_DEPTH
      return state === 'conflicting' && isDeep && !payment.wasServed ? { ...payment, state: 'rejected' } : payment
    }
    case 'taken':
      return state === 'accepted' && isFinal(payment, event.blueScore)
        ? { ...payment, state: 'serving', wasServed: true, handler: event.handler, servingSince: event.at }
        : payment
    case 'responded':
      return respond(payment, event.response)
    case 'abandoned':
      return state === 'serving' ? { ...payment, state: 'recovery-required' } : payment
    case 'recovered':
      return state === 'recovery-required' ? { ...payment, state: 'served', response: event.response } : payment
  }
}

/** Whether it is as deep as required. */
export const isFinal = ({ acceptedBlueScore, confirmations }: X402Payment, blueScore: bigint): boolean =>
  acceptedBlueScore !== null && blueScore - acceptedBlueScore >= BigInt(confirmations)

/** The one handler of a payment has ended, also where it was taken for dead, or the chain double-spent it meanwhile. */
function respond(payment: X402Payment, response: StoredResponse | null): X402Payment {
  const { state } = payment
  if (state === 'serving' || state === 'recovery-required') return { ...payment, state: 'served', response }
  const isKept = state === 'conflicting' && payment.wasServed && payment.response === null && response !== null
  return isKept ? { ...payment, response } : payment
}

function accept(payment: X402Payment, blueScore: bigint): X402Payment {
  if (payment.acceptedBlueScore === blueScore && payment.conflict === null) return payment
  return { ...payment, state: restingState(payment, 'accepted'), acceptedBlueScore: blueScore, conflict: null }
}

function rollBack(payment: X402Payment, blueScore: bigint): X402Payment {
  const { acceptedBlueScore, conflict } = payment
  const isReverted = acceptedBlueScore !== null && acceptedBlueScore > blueScore
  const isRevived = conflict !== null && conflict.blueScore > blueScore
  if (!isReverted && !isRevived) return payment
  return {
    ...payment,
    state: restingState(payment, 'broadcast'),
    acceptedBlueScore: isReverted ? null : acceptedBlueScore,
    conflict: isRevived ? null : conflict,
  }
}

/** A reorg does not undo what a handler did. */
function restingState(payment: X402Payment, state: 'accepted' | 'broadcast'): X402Payment['state'] {
  if (!payment.wasServed) return state
  if (payment.state === 'serving' || payment.state === 'recovery-required') return payment.state
  return payment.response === null && payment.state !== 'served' ? 'recovery-required' : 'served'
}

function commandsOf(before: X402Payment, after: X402Payment): readonly SettlementCommand[] {
  const wasReverted = before.acceptedBlueScore !== null && after.acceptedBlueScore === null && after.conflict === null
  const isReported = after.wasServed && after.state === 'conflicting' && before.state !== 'conflicting'
  return [
    ...(wasReverted ? (['submit'] as const) : []),
    ...(after.state === 'rejected' && before.state !== 'rejected' ? (['release'] as const) : []),
    ...(isReported ? (['report'] as const) : []),
  ]
}
