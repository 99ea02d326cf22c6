import type { ScriptUnits } from './script-units.js'
import type { Spending } from './spending.js'
import { Stack } from './stack.js'

/** Whether the steps inside an OP_IF are carried out, or skipped because they stand in a part that is skipped itself. */
export type Branch = 'taken' | 'passed' | 'skipped'

/** All that scripts work on while they run. */
export interface Machine {
  readonly spending: Spending
  readonly units: ScriptUnits
  stack: Stack
  /** A second stack, empty again after each script. */
  readonly aside: Stack
  /** The open OP_IFs, outermost first. */
  readonly branches: Branch[]
}

export const createMachine = (spending: Spending, units: ScriptUnits): Machine => ({
  spending,
  units,
  stack: new Stack(),
  aside: new Stack(),
  branches: [],
})

export const isExecuting = ({ branches }: Machine): boolean => branches.every((branch) => branch === 'taken')
