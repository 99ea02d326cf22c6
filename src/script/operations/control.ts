import { assertTrue, isExecuting, type Branch, type Operations } from '../machine.js'
import { invalidState, ScriptError } from '../script-error.js'

/** Branches and the end of a script. */
export const CONTROL: Operations = {
  0x61: () => undefined,
  0x63: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(machine.stack.popBoolean()) : 'skipped'),
  0x64: (machine) => machine.branches.push(isExecuting(machine) ? toBranch(!machine.stack.popBoolean()) : 'skipped'),
  0x67: ({ branches }) => branches.push(invertBranch(popBranch(branches))),
  0x68: ({ branches }) => void popBranch(branches),
  0x69: ({ stack }) => assertTrue(stack.popBoolean()),
  0x6a: () => {
    throw new ScriptError('script returned early')
  },
}

const toBranch = (condition: boolean): Branch => (condition ? 'taken' : 'passed')

function popBranch(branches: Branch[]): Branch {
  const branch = branches.pop()
  if (branch === undefined) throw invalidState('condition stack empty')
  return branch
}

function invertBranch(branch: Branch): Branch {
  if (branch === 'skipped') return 'skipped'
  return branch === 'taken' ? 'passed' : 'taken'
}
