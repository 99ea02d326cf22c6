import type { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'
import { Stack } from './stack.js'

/** Whether a conditional branch executes, does not, or is nested in one that does not. */
export type Branch = 'taken' | 'passed' | 'skipped'

/** The state of script execution. */
export interface Machine {
  readonly spending: Spending
  readonly units: ScriptUnits
  stack: Stack
  /** Cleared after each script. */
  readonly altStack: Stack
  /** The open OP_IFs, outermost first. */
  readonly branches: Branch[]
}

export const createMachine = (spending: Spending, units: ScriptUnits): Machine => ({
  spending,
  units,
  stack: new Stack(),
  altStack: new Stack(),
  branches: [],
})

export const isExecuting = ({ branches }: Machine): boolean => branches.every((branch) => branch === 'taken')
