import { blake2b256 } from '../../../src/model/hashing.js'
import { runInput, type ScriptRun } from '../../../src/script/run-input.js'
import { toSpendingContext } from '../../../src/script/spending.js'
import type { Machine } from '../../../src/script/machine.js'
import { chooseOf, type Choose } from './choose.js'
import { randomBody } from './body.js'
import { randomLock, type Lock } from './lock.js'
import { randomSpend, type Spend } from './spend.js'
import { op, push } from './writing.js'

/** A spend of a differential run, with the opcodes that our machine executed. */
export interface Case extends Spend {
  readonly run: ScriptRun
  readonly executed: readonly number[]
}

/**
 * The case of a seed: fragments with operands that mostly fit, then an end that makes the script succeed: what is left
 * on the stack is dropped, or joined, hashed and compared, so that the judge compares the results of all opcodes too.
 */
export function caseOf(seed: number): Case {
  const choose = chooseOf(seed)
  const spend = randomSpend(choose)
  const lock = randomLock(choose)
  const body = randomBody(choose, spend)
  return run(lock(spend, body + ending(choose, spend, lock, body)))
}

function ending(choose: Choose, spend: Spend, lock: Lock, body: string): string {
  const left = remaining(lock(spend, body + op(0x51)))
  if (left === 0 || choose.is(0.3)) return op(0x75).repeat(left) + op(0x51)
  const joined = op(0x7e).repeat(left - 1) + op(0xaa)
  return joined + push(lastHash(lock(spend, body + joined))) + op(0x87)
}

/** What the last `OpBlake2b` of a script makes. */
export function lastHash(spend: Spend): Uint8Array {
  let preimage = new Uint8Array(0)
  const onHash = (hashed: Uint8Array): void => {
    preimage = Uint8Array.from(hashed)
  }
  execute(spend, { onHash })
  return blake2b256(preimage)
}

/** The number of elements that a script leaves besides the last; 0 where it fails otherwise. */
export function remaining(spend: Spend): number {
  const reason = execute(spend).failure?.reason ?? ''
  return Number(/^stack contains (\d+) unexpected items$/.exec(reason)?.[1] ?? 0)
}

/** Executes a spend as a case. */
export function run(spend: Spend): Case {
  const executed: number[] = []
  const onStep = ({ at: { opcode } }: Machine): void => {
    if (opcode !== undefined) executed.push(opcode)
  }
  return { ...spend, run: execute(spend, { onStep }), executed }
}

const execute = ({ transaction, spent }: Spend, options: Parameters<typeof runInput>[2] = {}): ScriptRun =>
  runInput(toSpendingContext(transaction, spent), 0, options)

/** A case as the engine reads it: u64 as decimal text. */
export const toLine = ({ transaction, spent }: Spend): string =>
  JSON.stringify({ transaction, spent }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
