import { type CovenantBinding, createTransaction, type Transaction } from '../transaction.js'
import type { Outpoint, ScriptPublicKey } from '../utxo.js'
import type { JsonObject } from './strict-json.js'

/** One partially signed transaction of a bundle, as its text states it. Hex is lower-case, amounts are sompi. */
export interface Pskt {
  readonly global: PsktGlobal
  readonly inputs: readonly PsktInput[]
  readonly outputs: readonly PsktOutput[]
  /** Other members, which are written back. */
  readonly unknowns: JsonObject
}

export interface PsktGlobal {
  /** Of the format; from 1 on there may be a payload. */
  readonly version: number
  readonly txVersion: number
  readonly fallbackLockTime: bigint | null
  readonly inputsModifiable: boolean
  readonly outputsModifiable: boolean
  /** By extended public key. */
  readonly xpubs: ReadonlyMap<string, KeySource>
  /** Set where it is final. */
  readonly id: string | null
  readonly proprietaries: JsonObject
  readonly unknowns: JsonObject
  readonly payload: string | null
}

/** The origin of a key. */
export interface KeySource {
  /** 4 bytes of the hash of the key from which the path leads, hex. */
  readonly keyFingerprint: string
  /** `m/1/0/7`. */
  readonly derivationPath: string
}

/** Origins by compressed public key; null where the origin is not known. */
export type KeyOrigins = ReadonlyMap<string, KeySource | null>

export interface PsktInput {
  readonly utxoEntry: PsktUtxoEntry | null
  readonly previousOutpoint: Outpoint
  /** Null is 2^64 − 1. */
  readonly sequence: bigint | null
  readonly minTime: bigint | null
  readonly partialSigs: PartialSignatures
  readonly sighashType: number
  readonly redeemScript: string | null
  /** Null is 0, with which nothing is spent. */
  readonly sigOpCount: number | null
  readonly bip32Derivations: KeyOrigins
  readonly finalScriptSig: string | null
  readonly proprietaries: JsonObject
  readonly unknowns: JsonObject
}

export interface PsktUtxoEntry {
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  /** 2^64 − 1 while it is unconfirmed. */
  readonly blockDaaScore: bigint
  readonly isCoinbase: boolean
  readonly covenantId: string | null
}

/** By compressed public key. */
type PartialSignatures = ReadonlyMap<string, PartialSignature>

/** A signature of 64 bytes without its type, or in DER (ECDSA), hex, as the text has it. */
export interface PartialSignature {
  readonly scheme: 'schnorr' | 'ecdsa'
  readonly signature: string
}

export interface PsktOutput {
  readonly amount: bigint
  readonly scriptPublicKey: ScriptPublicKey
  readonly redeemScript: string | null
  readonly bip32Derivations: KeyOrigins
  readonly covenant: CovenantBinding | null
  readonly proprietaries: JsonObject
  readonly unknowns: JsonObject
}

/** The sequence of an input that states none. */
export const NO_SEQUENCE: bigint = 2n ** 64n - 1n

/** The transaction that the signatures of a bundle sign, as the crate computes it; with the final signature scripts. */
export const psktTransaction = ({ global, inputs, outputs }: Pskt): Transaction =>
  createTransaction({
    version: global.txVersion,
    inputs: inputs.map(({ previousOutpoint, sequence, sigOpCount, finalScriptSig }) => ({
      previousOutpoint,
      signatureScript: finalScriptSig ?? '',
      sequence: sequence ?? NO_SEQUENCE,
      sigOpCount: sigOpCount ?? 0,
    })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({ value: amount, scriptPublicKey })),
    payload: global.version === 0 ? '' : (global.payload ?? ''),
  })
