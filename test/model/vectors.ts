import { readFileSync } from 'node:fs'
import type { SpentOutput } from '../../src/model/sighash.js'
import type { CovenantBinding, Transaction } from '../../src/model/transaction.js'
import type { ScriptPublicKey } from '../../src/model/utxo.js'

/** A transaction of the fixtures: u64 as decimal strings, optional fields may be absent. */
export interface TransactionVector {
  readonly version: number
  readonly inputs: readonly {
    readonly transactionId?: string
    readonly index?: number
    readonly previousOutpoint?: { readonly transactionId: string; readonly index: number }
    readonly sequence: string
    readonly sigOpCount?: number
    readonly computeBudget?: number
    readonly signatureScript: string
  }[]
  readonly outputs: readonly {
    readonly value: string
    readonly scriptPublicKey: ScriptPublicKey | string
    readonly covenant?: CovenantBinding | null
  }[]
  readonly lockTime: string
  readonly subnetworkId: string
  readonly gas: string
  readonly payload: string
  readonly storageMass?: string
  readonly mass?: string
}

export interface SpentVector {
  readonly amount: string
  readonly scriptPublicKey: ScriptPublicKey | string
  readonly blockDaaScore?: string
  readonly isCoinbase?: boolean
}

/** Reads a fixture file; the caller states its type. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the one place where files get their types
export function readFixture<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(`../fixtures/${path}`, import.meta.url), 'utf8')) as T
}

export function toTransaction(vector: TransactionVector): Transaction {
  return {
    version: vector.version,
    inputs: vector.inputs.map((input) => ({
      previousOutpoint: input.previousOutpoint ?? { transactionId: input.transactionId ?? '', index: input.index ?? 0 },
      signatureScript: input.signatureScript,
      sequence: BigInt(input.sequence),
      sigOpCount: input.sigOpCount ?? 0,
      computeBudget: input.computeBudget,
    })),
    outputs: vector.outputs.map((output) => ({
      value: BigInt(output.value),
      scriptPublicKey: toScript(output.scriptPublicKey),
      covenant: output.covenant ?? undefined,
    })),
    lockTime: BigInt(vector.lockTime),
    subnetworkId: vector.subnetworkId,
    gas: BigInt(vector.gas),
    payload: vector.payload,
    mass: BigInt(vector.storageMass ?? vector.mass ?? 0),
  }
}

export function toSpent(vector: SpentVector): SpentOutput {
  return { amount: BigInt(vector.amount), scriptPublicKey: toScript(vector.scriptPublicKey) }
}

/** A locking script of the fixtures: a record, or one hex text that begins with the version. */
function toScript(vector: ScriptPublicKey | string): ScriptPublicKey {
  if (typeof vector !== 'string') return vector
  return { version: parseInt(vector.slice(0, 4), 16), script: vector.slice(4) }
}
