import type { ChainRestErrorCode } from '../../errors/rest-error.js'
import type { RejectReason } from '../../errors/rpc-error.js'
import { parseReply, refusalHint, UNKNOWN_OUTCOME_HINT, type SubmissionKnown } from '../../model/submission-reply.js'
import { isRecord, type Shape } from '../decoding/shape.js'

/** An integer of up to 64 bits: a safe integer, a bigint, or decimal text. */
export type ChainRestInteger = number | bigint | string

export interface ChainRestSubmitTxScriptPublicKey {
  version: number
  /** The script in hex. */
  scriptPublicKey: string
}

export interface ChainRestSubmitTxOutpoint {
  transactionId: string
  index: number
}

export interface ChainRestSubmitTxInput {
  previousOutpoint: ChainRestSubmitTxOutpoint
  /** Hex. */
  signatureScript: string
  /** Beyond 2^53 pass a bigint or decimal text, which every submission takes: a number is inexact there. */
  sequence: number
  sigOpCount: number
}

export interface ChainRestSubmitTxOutput {
  /** Sompi. */
  amount: number
  scriptPublicKey: ChainRestSubmitTxScriptPublicKey
}

/** A signed transaction in the server's model, which has no payload. */
export interface ChainRestSubmitTxModel {
  version: number
  inputs: ChainRestSubmitTxInput[]
  outputs: ChainRestSubmitTxOutput[]
  /** @default 0 */
  lockTime?: number
  /** @default 40 zeros, the native subnetwork */
  subnetworkId?: string
}

/** The request body. */
export interface ChainRestSubmitTransactionRequest {
  transaction: ChainRestSubmitTxModel
  allowOrphan?: boolean
}

/** The server's model with exact integers, which are sent as decimal text beyond 2^53. */
export interface ChainRestTransactionModel {
  readonly version: number
  readonly inputs: readonly ChainRestSerializedInput[]
  readonly outputs: readonly {
    /** Sompi. */
    readonly amount: ChainRestInteger
    readonly scriptPublicKey: Readonly<ChainRestSubmitTxScriptPublicKey>
  }[]
  readonly lockTime?: ChainRestInteger | undefined
  readonly subnetworkId?: string | undefined
}

export interface ChainRestSerializedInput {
  readonly previousOutpoint: Readonly<ChainRestSubmitTxOutpoint>
  readonly signatureScript: string
  readonly sequence: ChainRestInteger
  readonly sigOpCount: number
}

/** A transaction serialized by `PendingTx.serialize()`. Its payload must be empty. */
export interface ChainRestSerializedTransaction {
  readonly version: number
  readonly inputs: readonly ChainRestSerializedInput[]
  readonly outputs: readonly {
    /** Sompi. */
    readonly value: ChainRestInteger
    readonly scriptPublicKey: { readonly version: number; readonly script: string }
  }[]
  readonly lockTime: ChainRestInteger
  readonly subnetworkId: string
  readonly payload: string
}

/** A signed transaction in the server's or this library's model. */
export type ChainRestTransactionLike = ChainRestTransactionModel | ChainRestSerializedTransaction

/**
 * The reply to a submission: the id that follows from the transaction, beside the node's refusal where it did not take
 * it.
 */
export interface ChainRestSubmitTransactionResponse {
  transactionId?: string
  /** The refusal of the server's node, which proves nothing: see `outcome`. */
  error?: string
  /**
   * Beside `error`: the network may have the transaction. Follow `transactionId`, or submit the same transaction again.
   */
  outcome?: 'unknown'
  /** How the server's node knew it: it took it now, had it in its mempool, or its chain has accepted it. */
  known?: SubmissionKnown
}

/** Masses in grams; `mass` is the larger of the other two. */
export interface ChainRestTxMass {
  mass: number
  massExact: bigint
  storage_mass: number
  storage_massExact: bigint
  compute_mass: number
  compute_massExact: bigint
}

export const submission: Shape<Omit<ChainRestSubmitTransactionResponse, 'known' | 'outcome'>> = {
  may: { transactionId: 'text', error: 'text' },
}

/** A failure of a request, without its facts. */
export interface Failure {
  readonly code: ChainRestErrorCode
  readonly reason: string
  readonly hint: string
  /** Why the server's node refused the transaction. */
  readonly rejection?: RejectReason
}

/**
 * The server reports failures towards its node as it reports refusals: a timeout as an empty error, a lost connection
 * as an error about the WebSocket. Undefined where the node took the transaction.
 */
export function submissionFailure(body: unknown): Failure | undefined {
  const error = isRecord(body) ? body.error : undefined
  const hint = UNKNOWN_OUTCOME_HINT
  if (error === '') return { code: 'timeout', reason: 'the node did not respond to the server', hint }
  if (typeof error !== 'string') return undefined
  if (isConnectionError(error))
    return { code: 'network', reason: `the server is disconnected from its node: ${error}`, hint }
  const { reason: rejection } = parseReply(error)
  return { code: 'http', reason: error, hint: refusalHint(rejection), rejection }
}

const isConnectionError = (error: string): boolean =>
  !error.includes('Rejected transaction') && /websocket|connect|channel|timeout|timed out/i.test(error)

/** Whether a 400 is the node's refusal of the transaction, not the server's of the request. */
export const isNodeRejection = (status: number, body: unknown): boolean =>
  status === 400 && isRecord(body) && 'error' in body

export const transactionMass: Shape<ChainRestTxMass> = {
  has: { mass: 'u64', storage_mass: 'u64', compute_mass: 'u64' },
}
