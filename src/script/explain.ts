import { toHex } from '../model/hex.js'
import type { MachineOptions } from './machine.js'
import { runInput, type RunOptions, type ScriptFailure, type ScriptRun } from './run-input.js'
import type { SpendingContext } from './spending.js'

/** Where a script stopped, and on what. */
export interface ScriptExplanation extends ScriptFailure {
  readonly input: number
  /** Script units used, the refused charge included. */
  readonly units: number
  /** The elements before the failing instruction, lowest first, in hex. */
  readonly stack: readonly string[]
  readonly altStack: readonly string[]
}

/** Executes an input and finds where it fails; undefined where it does not. */
export function explainInput(
  context: SpendingContext,
  input: number,
  options: Omit<RunOptions, keyof Pick<MachineOptions, 'onStep'>> = {},
): ScriptExplanation | undefined {
  let stacks: Pick<ScriptExplanation, 'stack' | 'altStack'> = { stack: [], altStack: [] }
  const { units, failure }: ScriptRun = runInput(context, input, {
    ...options,
    onStep: ({ stack, altStack }) => {
      stacks = { stack: stack.items().map(toHex), altStack: altStack.items().map(toHex) }
    },
  })
  return failure && { input, units, ...failure, ...stacks }
}
