import { isRecord, readShape, type Shape } from '../reading/shape.js'

/** An integer of up to 64 bits, however it is at hand: as a number that is exact, a bigint, or decimal text. */
export type RestInteger = number | bigint | string

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
  sequence: number
  sigOpCount: number
}

export interface ChainRestSubmitTxOutput {
  /** Sompi. */
  amount: number
  scriptPublicKey: ChainRestSubmitTxScriptPublicKey
}

/** A signed transaction as the server takes it. It has no place for a payload. */
export interface ChainRestSubmitTxModel {
  version: number
  inputs: ChainRestSubmitTxInput[]
  outputs: ChainRestSubmitTxOutput[]
  /** @default 0 */
  lockTime?: number
  /** @default 40 zeros, the native subnetwork */
  subnetworkId?: string
}

/** What goes over the wire. */
export interface ChainRestSubmitTransactionRequest {
  transaction: ChainRestSubmitTxModel
  allowOrphan?: boolean
}

/** The server's model with integers beyond a double's reach: those go over the wire as decimal text. */
export interface RestTransactionModel {
  readonly version: number
  readonly inputs: readonly RestTransactionInput[]
  readonly outputs: readonly {
    /** Sompi. */
    readonly amount: RestInteger
    readonly scriptPublicKey: Readonly<ChainRestSubmitTxScriptPublicKey>
  }[]
  readonly lockTime?: RestInteger | undefined
  readonly subnetworkId?: string | undefined
}

export interface RestTransactionInput {
  readonly previousOutpoint: Readonly<ChainRestSubmitTxOutpoint>
  readonly signatureScript: string
  readonly sequence: RestInteger
  readonly sigOpCount: number
}

/** A transaction of this library, made plain by `PendingTx.serialize()`. Its payload must be empty. */
export interface RestSerializedTransaction {
  readonly version: number
  readonly inputs: readonly RestTransactionInput[]
  readonly outputs: readonly {
    /** Sompi. */
    readonly value: RestInteger
    readonly scriptPublicKey: { readonly version: number; readonly script: string }
  }[]
  readonly lockTime: RestInteger
  readonly subnetworkId: string
  readonly payload: string
}

/** A signed transaction, in the server's words or in ours. */
export type RestTransaction = RestTransactionModel | RestSerializedTransaction

/** The id of a transaction that the node took, or the node's own words on why it did not. Never both. */
export interface ChainRestSubmitTransactionResponse {
  transactionId?: string
  error?: string
}

/** Masses in grams; `mass` is the larger of the two others. */
export interface ChainRestTxMass {
  mass: number
  massExact: bigint
  storage_mass: number
  storage_massExact: bigint
  compute_mass: number
  compute_massExact: bigint
}

/** A refusal without words is the server's way to say that the node kept silent: nobody knows what became of it. */
const SILENCE = 'The node did not answer in time: the transaction may have been accepted. Look for its id.'

const response: Shape<ChainRestSubmitTransactionResponse> = { may: { transactionId: 'text', error: 'text' } }

export const submission = (body: unknown): ChainRestSubmitTransactionResponse => {
  const said = readShape(response, body)
  return said.error === '' ? { ...said, error: SILENCE } : said
}

/** Whether an answer of status 400 is a verdict on the transaction, not on the request. */
export const isVerdict = (status: number, body: unknown): boolean => status === 400 && isRecord(body) && 'error' in body

export const transactionMass: Shape<ChainRestTxMass> = {
  has: { mass: 'u64', storage_mass: 'u64', compute_mass: 'u64' },
}
