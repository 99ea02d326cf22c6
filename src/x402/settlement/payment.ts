import type { OutpointKey } from '../../model/utxo.js'

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
