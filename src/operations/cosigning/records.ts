import type { AbortOptions } from '../../errors/abort-options.js'
import type { Outpoint } from '../../model/utxo.js'
import type { PendingTx } from '../transactions/records.js'
import type { TransactionSigner } from '../../sdk/port.js'
import type { RejectedSignature } from './signatures.js'

export type { RejectedSignature } from './signatures.js'

/** How a text is verified and kept. */
export interface FromPskbOptions extends AbortOptions {
  /** Sompi: the bound of all fees. @default the greater of 1 KAS and ten times the known minimum */
  readonly maxFee?: bigint | undefined
  /** Inputs of others: refused, or shown in the review and never signed. @default 'refuse' */
  readonly foreignInputs?: 'refuse' | 'allow' | undefined
  /** A payload: refused, or shown in the review. @default 'refuse' */
  readonly payload?: 'refuse' | 'allow' | undefined
  /**
   * Without a node: amounts and scripts are those of the text, and `review.areAmountsVerified` is false. The fee is
   * unproven then. @default false
   */
  readonly offline?: boolean | undefined
  /** Ms for which no other payment of this engine selects the inputs; 0: not at all. @default 600000 */
  readonly reserveFor?: number | undefined
}

/** How a bundle is written. */
export interface ToPskbOptions {
  /** Leaves out what the other side derives: extended keys, paths, the redeem scripts of change. @default false */
  readonly compact?: boolean | undefined
  /** Of signatures only those of the own key. @default false */
  readonly onlySignatures?: boolean | undefined
  /** Hex in upper case, which needs fewer modules of a QR code. @default false */
  readonly upperCase?: boolean | undefined
}

/** Who signs: a mnemonic, private keys (32 bytes, hex), or a signer that has the own key. Nothing of it is kept. */
export type CosigningKeys =
  | { readonly mnemonic: string; readonly passphrase?: string | undefined }
  | { readonly privateKeys: readonly string[] }
  | { readonly signer: TransactionSigner }

/**
 * A bundle that passed every check for one account. It does not change: `signAsync` and `combine` return another one.
 */
export interface Proposal {
  readonly review: ProposalReview
  /** The cosigners in the order of the account's keys. */
  readonly signers: readonly CosignerState[]
  /** Whether every own input has as many valid signatures as the account needs. */
  readonly isComplete: boolean
  /** Signatures of texts that are not valid, or of no key of the account. They were dropped. */
  readonly rejectedSignatures: readonly RejectedSignature[]
  /** Whether the compact text fits into one QR code. */
  readonly isQrSized: boolean
  /**
   * Signs the own inputs with the keys of the account among those given; a signature that is there stays. Rejects with
   * `ChainCryptoError`: `key-mismatch`, `invalid-key`, `invalid-mnemonic`, `invalid-signature` of a signer,
   * `amount-conflict` where this id was signed with other input amounts.
   */
  signAsync(keys: CosigningKeys, options?: AbortOptions): Promise<Proposal>
  /**
   * Adds the valid signatures of another text of the same transactions. Throws `ChainError`: `invalid-pskb`,
   * `untrusted-pskb`, `invalid-argument` where the transactions differ.
   */
  combine(other: string | Proposal): Proposal
  /**
   * The signed transactions, in the order of submission: M signatures in the order of the script's keys. Executes their
   * scripts before it resolves. Rejects with `ChainError`: `signatures-missing`. The same payment may be submitted by
   * several cosigners.
   */
  finalize(): Promise<readonly PendingTx[]>
  /** The text to pass on. */
  toPskb(options?: ToPskbOptions): string
  /** Ends the reservation of the inputs. */
  release(): void
}

/** A cosigner, and what it has signed. */
export interface CosignerState {
  /** The extended public key. */
  readonly key: string
  /** Its position in `account.keys`. */
  readonly cosigner: number
  readonly isOwn: boolean
  /** Of the own inputs of all transactions. */
  readonly hasSigned: 'all' | 'some' | 'none'
}

/** What a cosigner should see before signing, computed from the bytes to be signed. Amounts are sompi. */
export interface ProposalReview {
  readonly transactions: readonly TransactionReview[]
  /** What all transactions pay to others, also where the bundle spends it: the first transactions may go alone. */
  readonly recipients: readonly ReviewedOutput[]
  /** Of all transactions. */
  readonly fee: bigint
  /** What returns to the account. */
  readonly change: bigint
  /** What leaves the account: its inputs without its outputs, of the transactions that take from it. */
  readonly spendsFromAccount: bigint
  readonly signers: readonly CosignerState[]
  /** Whether a node has confirmed amounts and scripts. If not, the fee is unproven. */
  readonly areAmountsVerified: boolean
  /** Whether the transactions commit to the amounts of all inputs: signatures for other amounts are of no use then. */
  readonly areAmountsCommitted: boolean
  /** Whether what was signed without such a commitment is remembered beyond this process. */
  readonly isAmountMemoryDurable: boolean
}

export interface TransactionReview {
  readonly id: string
  readonly inputs: readonly ReviewedInput[]
  readonly recipients: readonly ReviewedOutput[]
  readonly change: bigint
  readonly fee: bigint
  /** Sompi per gram. */
  readonly feeRate: number
  /** Hex; empty where there is none. */
  readonly payload: string
  /** Whether no later transaction of the bundle spends it: the others prepare the payment. */
  readonly isFinal: boolean
}

export interface ReviewedInput {
  readonly outpoint: Outpoint
  readonly amount: bigint
  /** Undefined where the script has no address. */
  readonly address: string | undefined
  /** Whether it is of the account; the others are never signed. */
  readonly isOwn: boolean
}

export interface ReviewedOutput {
  readonly amount: bigint
  /** Undefined where the script has no address. */
  readonly address: string | undefined
  /** The locking script, hex. */
  readonly script: string
}
