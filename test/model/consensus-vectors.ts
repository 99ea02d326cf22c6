import { readFixture, type SpentVector, type TransactionVector } from './vectors.js'

/** A version-0 vector, on which SDK 0.15.2 and an independent implementation agree. */
export interface Version0Vector {
  readonly name: string
  readonly tx: TransactionVector
  readonly utxos: readonly SpentVector[]
  readonly expected: {
    readonly id: string
    readonly hashWithoutMass: string
    readonly sighashType: number
    readonly sighashKind?: 'ecdsa'
    readonly sighashes: readonly string[] | { readonly legacy: readonly string[]; readonly modern: readonly string[] }
    readonly schnorrSighashes?: readonly string[]
    readonly consensusValid?: boolean
    readonly signers?: readonly number[]
  }
  readonly masses: {
    readonly estimatedSerializedSize: number
    readonly computeMass: number
    readonly transientMass: number
    readonly storageMassKip9: string
    readonly minRelayFee1x: string
    readonly minRelayFee2x: string
  }
}

/** A version-1 vector. */
export interface Version1Vector {
  readonly name: string
  readonly tx: TransactionVector
  readonly utxos: readonly SpentVector[]
  readonly expected: { readonly id: string; readonly hash: string; readonly sighashes: readonly string[] }
  readonly masses: {
    readonly estimatedSerializedSize: number
    readonly computeMass: number
    readonly transientMass: number
    readonly storageMass: string
    readonly minRelayFee: string
  }
}

/** The response of a real node of 2.1.0 to a transaction. */
export interface RuleEntry {
  readonly name: string
  readonly note: string
  readonly submit?: TransactionVector
  readonly computedId?: string
  readonly computeMass?: number
  readonly storageMassFormula?: string
  readonly spent?: readonly SpentVector[]
  readonly response?: { readonly transactionId?: string }
  readonly error?: string
}

export const version0Vectors = (): readonly Version0Vector[] =>
  readFixture<{ vectors: Version0Vector[] }>('consensus/transactions.json').vectors

export const version1Vectors = (): readonly Version1Vector[] =>
  readFixture<{ vectors: Version1Vector[] }>('consensus/transactions-v1-toccata.json').vectors

export const ruleEntries = (): readonly RuleEntry[] =>
  readFixture<{ entries: (RuleEntry & { answer?: RuleEntry['response'] })[] }>('node-2.1.0/rules.json').entries.map(
    ({ answer: response, ...entry }) => (response === undefined ? entry : { ...entry, response }),
  )
