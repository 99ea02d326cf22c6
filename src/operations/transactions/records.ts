import type { SpendingAccount } from '../../model/cosigning/spending-account.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import type { SubmissionKnown } from '../../model/submission-reply.js'
import type { UtxoSource } from '../../model/utxo-source/source.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { FeeRateName } from './plan/fee.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { TransactionSigner } from '../../sdk/port.js'

/** A recipient and an amount. */
export interface PaymentOutput {
  readonly address: string
  /** Sompi, above zero. */
  readonly amount: bigint
}

export interface CreateTransactionSettings {
  /**
   * The UTXOs to select from: records, or the source of a `UtxoState`, of which only those that are spent are read.
   * Immature, reserved and duplicate ones are skipped, and those whose script is not that of their address.
   */
  readonly entries: readonly UtxoEntry[] | UtxoSource
  /**
   * Recipients, at least one. Only where the key is absent, the UTXOs are consolidated into one at `changeAddress`, or
   * the payment of `replaces` is cancelled.
   */
  readonly outputs?: readonly PaymentOutput[]
  /** Receives the change. */
  readonly changeAddress: string
  /** Sompi that the final transaction pays beyond the node's current minimum. Not together with `feeRate`. */
  readonly priorityFee?: bigint | undefined
  /**
   * Sompi per gram that every transaction of the plan pays at least, storage mass included; by name the node's estimate
   * when the payment is planned. Never below the minimum.
   */
  readonly feeRate?: number | FeeRateName | undefined
  /**
   * Sompi that all transactions of the plan together pay at most, whatever `feeRate`, `priorityFee` and the node
   * require.
   * @default the greater of 1 KAS and ten times the network's minimum fee rate (100 sompi per gram) × the mass of the
   * plan
   */
  readonly maxFee?: bigint | undefined
  /**
   * The id of a payment in the mempool to replace (RBF). The replacement spends all UTXOs of that payment, so that only
   * one of them can be accepted, and pays a higher feerate, by default the lowest that suffices. `entries` must contain
   * those UTXOs, reserved or not. Without `outputs` they return to `changeAddress`, which cancels the payment.
   */
  readonly replaces?: string | undefined
  /** Hex, carried by the final transaction. */
  readonly payload?: string | undefined
  /**
   * Whether the sequences of a transaction's inputs commit to the amounts of all of them, so that signatures made with
   * other amounts fit no other set. False for signers that know sequence 0 only, such as some hardware devices: then
   * the engine option `signedAmounts` keeps what was signed, and only `send` and `signAsync` sign several inputs. No
   * effect on `estimate`.
   * @default true
   */
  readonly commitAmounts?: boolean | undefined
  /**
   * Whether outputs of public keys that a covenant binds are spent. Spending one ends the right that it may carry, such
   * as a mint or a membership. @default false
   */
  readonly spendBound?: boolean | undefined
  /** Must be the network of the app. @default the network of the app */
  readonly networkId?: string | undefined
  /** Of payments that several signers sign: see `AccountPaymentSettings`. */
  readonly account?: undefined
}

/** A payment of an account of several signers, for `estimate` and `create`: a proposal of it gets the signatures. */
export interface AccountPaymentSettings extends Omit<
  CreateTransactionSettings,
  'account' | 'changeAddress' | 'spendBound'
> {
  /** Only outputs at addresses that it follows, or has derived, are spent. */
  readonly account: SpendingAccount
  /**
   * Receives the change, or everything where there are no outputs. Required where the account has no own key.
   * @default the first change address of the own branch that is neither used nor reserved
   */
  readonly changeAddress?: string | undefined
  /** Outputs that a covenant binds are not spent. */
  readonly spendBound?: false | undefined
}

/** Settings with what will sign, whose limits are obeyed. */
export type PlannedSettings = (CreateTransactionSettings | AccountPaymentSettings) & {
  readonly signer?: Partial<TransactionSigner> | undefined
}

/** What signs a payment: the keys, or a signer that has them. */
export type SigningSettings =
  | {
      /** 32 bytes each, hex: of all addresses that the entries belong to. */
      readonly privateKeys: readonly string[]
      readonly signer?: undefined
    }
  | {
      /** Hardware, an HSM or a remote service. */
      readonly signer: TransactionSigner
      readonly privateKeys?: undefined
    }

/** Settings with what signs. */
export type SendSettings = CreateTransactionSettings & SigningSettings

/** Settings of `sweep`. */
export type SweepSettings = Omit<CreateTransactionSettings, 'outputs' | 'changeAddress' | 'replaces'> &
  SigningSettings & {
    /** The address that receives everything. */
    readonly to: string
  }

/** Settings of `consolidate`. */
export type ConsolidateSettings = CancelSettings & {
  /** Merges at most so many UTXOs, 2 or more, the smallest first. @default all */
  readonly maxInputs?: number | undefined
}

/** Settings of `cancel`. */
export type CancelSettings = Omit<CreateTransactionSettings, 'outputs' | 'replaces'> & SigningSettings

/** What is expected of a stored payment. */
export interface RestoreOptions {
  /**
   * Sompi that a payment without signatures pays at most; a signed one has its signatures.
   * @default the greater of 1 KAS and ten times the network's minimum fee rate (100 sompi per gram) × its mass
   */
  readonly maxFee?: bigint | undefined
  /** All outputs that it must have, change included, in their order. */
  readonly outputs?: readonly PaymentOutput[] | undefined
  /**
   * Whether a payment without signatures reserves its inputs at once, as a signed one does; otherwise they are reserved
   * when it is submitted. @default false
   */
  readonly reserve?: boolean | undefined
}

export interface SendOptions extends AbortOptions {
  /**
   * Ms, at most an hour, in which a payment whose funds do not suffice is planned again while own payments reserve some
   * of its entries, or are to return change of them. Only the given entries are spent, and that change. Rejects with
   * `insufficient-funds` at the end, and at once where there is nothing to wait for. @default 0
   */
  readonly waitForFunds?: number | undefined
  /**
   * How many payments of this engine that are not accepted may stand before this one, at most 10: where confirmed
   * entries do not suffice, it spends change of payments that a node has taken. Blocks take one transaction of such a
   * chain each, and none once an earlier one cannot be accepted any more. No effect on a replacement. @default 0
   */
  readonly chainDepth?: number | undefined
  /**
   * Receives the signed transactions in the order of submission, before the first one is sent; is awaited. Store them:
   * after a restart `restore()` takes each. Where it rejects, nothing is sent and the UTXOs are released. Delete them
   * only where the chain shows the payment accepted or excluded, deep enough. Never after an outcome, `unsent`
   * included: it says what this engine has sent, and another process that reads the store may have sent them too.
   */
  readonly onSigned?: ((payments: readonly SerializedTransaction[]) => void | Promise<void>) | undefined
}

/** Totals of a plan. */
export interface TransactionSummary {
  /** Sompi, of all transactions together. */
  readonly fees: bigint
  /** Grams, of all transactions together; of each the greatest of compute, storage and half its transient mass. */
  readonly mass: bigint
  /** More than 1: the payment needs more UTXOs than one transaction can spend, so some are compounded first. */
  readonly transactions: number
  /** Set once submitted by `send()`. */
  readonly finalTransactionId?: string | undefined
  /** Sompi: the sum of the outputs or, without outputs, the amount of the consolidated UTXO. */
  readonly finalAmount?: bigint | undefined
}

/** A transaction to sign and submit. */
export interface PendingTx {
  /** Does not change when the transaction is signed. */
  readonly id: string
  /** Sompi. */
  readonly fee: bigint
  /** Grams, as in `TransactionSummary`. */
  readonly mass: bigint
  /**
   * Signs every input with these keys (32 bytes, hex). Throws `ChainCryptoError`: `invalid-key`, or `key-mismatch`
   * where an input stays unsigned, `amount-conflict` where this id was signed with other input amounts; it then keeps
   * no signature. Throws `ChainNotReadyError` before WASM is ready. Blocks for 0.3 ms (WASM) to 2 ms (`light`) per
   * input.
   */
  sign(privateKeys: readonly string[]): void
  /**
   * The same without blocking: with private keys in a worker where there are many inputs, or with a signer. Rejects as
   * `sign` throws, with `invalid-signature` for a signature of the signer that is not valid, with `failed` where the
   * signer rejects, and with `ChainError` (`aborted`) as soon as `signal` aborts.
   */
  signAsync(signer: readonly string[] | TransactionSigner, options?: AbortOptions): Promise<void>
  /**
   * How the node knew it when `submit()` resolved; undefined before. `new`: the node took it now. `mempool`: it had it.
   * `accepted`: its chain shows it, which a reorg may change.
   */
  readonly known: SubmissionKnown | undefined
  /**
   * Submits it and resolves to its id once it is relayed; submit the transactions of a plan in order. Rejects with an
   * `outcome` and `transactionId`. `unsent`: this engine never handed it to a node or an indexer, such as
   * `not-connected` or what every node would refuse, and its UTXOs are released. `unknown` (`ChainRpcError`): the reply
   * was lost, or the node refused it (`remote`, with `reason`), which proves nothing; its UTXOs stay reserved. A
   * further call, also after it was relayed, looks it up and sends the same bytes again where it is not found: a node
   * that restarts loses its mempool. `reason: 'duplicate'` of a first call: the network already has this payment, by
   * this call or by another tab, device or process. `signal` aborts it before it is sent (`ChainError`, `aborted`),
   * never after.
   */
  submit(options?: AbortOptions): Promise<string>
  /**
   * JSON-safe data, u64 as decimal strings, for `submitTransaction` of the node and of the indexer, and for `restore()`
   * after a restart. Holds no key.
   */
  serialize(): SerializedTransaction
  /** The addresses of the spent UTXOs, without duplicates. */
  addresses(): string[]
}
