/** A JSON-serializable transaction: the node's field names, u64 as decimal strings. */
export interface SerializedTransaction {
  readonly id: string
  readonly version: number
  readonly inputs: readonly SerializedInput[]
  readonly outputs: readonly SerializedOutput[]
  readonly lockTime: string
  readonly subnetworkId: string
  readonly gas: string
  readonly payload: string
  readonly mass: string
  /** What `restore()` needs. Nodes and indexers ignore it. */
  readonly restore?: RestoreRecord | undefined
}

/** What `restore()` needs beside a transaction. */
export interface RestoreRecord {
  /** The version of this record. */
  readonly version: number
  /** The network's id, such as `testnet-10`. */
  readonly network: string
  /**
   * The spent outputs, in the order of the inputs; `amount` in sompi. Of the output of a contract also its covenant and
   * the DAA score of its block, which scripts read.
   */
  readonly spent: readonly {
    readonly amount: string
    readonly scriptPublicKey: SerializedScript
    readonly covenantId?: string | undefined
    readonly blockDaaScore?: string | undefined
    /** Of an output of several signers. */
    readonly isCoinbase?: boolean | undefined
  }[]
  /** The id of the payment that it replaces. */
  readonly replaces?: string | undefined
  /** The sink from before it was first submitted: the transaction is looked up from there. */
  readonly lookupStart?: string | undefined
  /** The script that gets the change, by which `followTransfers` recognises it. */
  readonly change?: SerializedScript | undefined
  /** The calls of contracts, which are its first inputs. */
  readonly calls?: readonly SerializedCall[] | undefined
  /** BLAKE2b-256 of the transaction and the fields above, hex: detects changes by accident. */
  readonly checksum: string
}

/** A call of a contract, as the input of an unsigned transaction has it. */
export interface SerializedCall {
  readonly covenantId: string
  readonly entry: string
  /** The placeholders in its signature script: the byte where each begins, and the address whose key signs. */
  readonly signatures: readonly { readonly at: number; readonly address: string }[]
  /** The redeem scripts of the outputs that follow, hex. */
  readonly redeemScripts: readonly string[]
  /** Where it was named: the call is not executed. */
  readonly computeBudget?: number | undefined
}

/** A `TransactionInput` as JSON. */
export interface SerializedInput {
  readonly previousOutpoint: { readonly transactionId: string; readonly index: number }
  /** Hex; empty while unsigned. */
  readonly signatureScript: string
  readonly sequence: string
  readonly sigOpCount: number
  readonly computeBudget?: number | undefined
}

/** A `TransactionOutput` as JSON. */
export interface SerializedOutput {
  /** Sompi. */
  readonly value: string
  readonly scriptPublicKey: SerializedScript
  readonly covenant?: { readonly authorizingInput: number; readonly covenantId: string } | undefined
}

/** A `ScriptPublicKey` as JSON; `script` in hex. */
export interface SerializedScript {
  readonly version: number
  readonly script: string
}
