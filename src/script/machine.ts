import { ScriptError, Stack } from './stack.js'
import type { Spending } from './spending.js'
import type { TransactionInput } from '../model/transaction.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'

/** Whether a conditional branch executes, does not, or is nested in one that does not. */
export type Branch = 'taken' | 'passed' | 'skipped'

/** Which of the scripts of an input runs. */
export type ScriptName = 'signature' | 'locking' | 'redeem'

/** The place of execution: between instructions, and before the first one, without opcode. */
export interface ScriptLocation {
  readonly script: ScriptName
  /** Offset of the opcode in its script, in bytes. */
  readonly position?: number
  readonly opcode?: number
}

/** How signatures are checked: by the curve, or taken as valid where they are the placeholder of the key. */
type SignatureCheck = 'verified' | 'placeholders'

/** The state of script execution. */
export interface Machine {
  readonly spending: Spending
  readonly units: ScriptUnits
  readonly signatures: SignatureCheck
  /** Verifies a signature that is well-formed. */
  readonly verify: VerifySignature
  /**
   * Receives what `OpBlake2b` hashes, and where: in a redeem script among others the redeem scripts of the next states
   * of a covenant.
   */
  readonly onHash: (preimage: Uint8Array, at: ScriptLocation) => void
  /** Called before each instruction. */
  readonly onStep: (machine: Machine) => void
  at: ScriptLocation
  stack: Stack
  /** Cleared after each script. */
  readonly altStack: Stack
  /** The open OP_IFs, outermost first. */
  readonly branches: Branch[]
  /** Operations of the current script, besides pushes; each key of a multi-signature counts too. */
  operations: number
}

/** The effect of an opcode on the machine; throws `ScriptError` to fail the script. */
export type Operation = (machine: Machine) => void

/** Operations by opcode. */
export type Operations = Readonly<Record<number, Operation>>

const MAX_OPERATIONS = 1_000_000

/** What a run observes, and how it checks signatures (default: `verified`, on the curve). */
export type MachineOptions = Partial<Pick<Machine, 'signatures' | 'verify' | 'onHash' | 'onStep'>>

export const createMachine = (
  spending: Spending,
  units: ScriptUnits,
  {
    signatures = 'verified',
    verify = verifyOnCurve,
    onHash = () => undefined,
    onStep = () => undefined,
  }: MachineOptions = {},
): Machine => ({
  spending,
  units,
  signatures,
  verify,
  onHash,
  onStep,
  at: { script: 'signature' },
  stack: new Stack(),
  altStack: new Stack(),
  branches: [],
  operations: 0,
})

/** A branch inside one that does not execute is `skipped`, so the innermost decides. */
export const isExecuting = ({ branches }: Machine): boolean => (branches.at(-1) ?? 'taken') === 'taken'

export function countOperations(machine: Machine, count: number): void {
  machine.operations += count
  if (machine.operations > MAX_OPERATIONS) throw new ScriptError(`exceeded max operation limit of ${MAX_OPERATIONS}`)
}

export function assertTrue(isMet: boolean): void {
  if (!isMet) throw new ScriptError('script ran, but verification failed')
}

/** Free units, one below the smallest budget. */
const FREE_UNITS = 9_999
const UNITS_PER_SIGNATURE = 100_000
const UNITS_PER_BUDGET = 10_000

/**
 * The script units that an input may use: those of its signature operations or its compute budget, and the free ones.
 */
export const unitLimit = (
  { sigOpCount, computeBudget = 0 }: Pick<TransactionInput, 'sigOpCount' | 'computeBudget'>,
  version: number,
): number => FREE_UNITS + (version === 0 ? sigOpCount * UNITS_PER_SIGNATURE : computeBudget * UNITS_PER_BUDGET)

/** The largest compute budget. */
const MAX_BUDGET = 0xffff
/** The script units of an input with the largest compute budget. What a call needs follows from those that it uses. */
export const MAX_UNITS = FREE_UNITS + MAX_BUDGET * UNITS_PER_BUDGET

/** The smallest compute budget that covers script units. */
export const budgetOf = (units: number): number => Math.floor(units / UNITS_PER_BUDGET)

/** Meters the execution of an input in script units of 1/100 gram. */
export class ScriptUnits {
  readonly #limit: number
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Throws `ScriptError` if the limit is exceeded. */
  charge(units: number): void {
    this.#used += units
    if (this.#used > this.#limit)
      throw new ScriptError(
        `script units exceeded the amount committed in the input: used=${this.#used}, limit=${this.#limit}`,
      )
  }

  chargeSignature(): void {
    this.charge(UNITS_PER_SIGNATURE)
  }
}

export type SignatureScheme = 'schnorr' | 'ecdsa'

/** Whether a signature of 64 bytes is valid for 32 bytes and a key: x-only (Schnorr), or compressed. */
export type VerifySignature = (
  scheme: SignatureScheme,
  signature: Uint8Array,
  digest: Uint8Array,
  key: Uint8Array,
) => boolean

/** By the curve, which takes milliseconds. An ECDSA signature with a high s is not valid. */
const verifyOnCurve: VerifySignature = (scheme, signature, digest, key) =>
  scheme === 'schnorr'
    ? schnorr.verify(signature, digest, key)
    : secp256k1.verify(signature, digest, key, { prehash: false, lowS: true, format: 'compact' })
