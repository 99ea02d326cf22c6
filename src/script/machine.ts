import { ScriptError } from './script-error.js'
import type { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'
import { Stack } from './stack.js'
import { verifyOnCurve, type VerifySignature } from './verify-on-curve.js'

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
export type SignatureCheck = 'verified' | 'placeholders'

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
