import type { Outpoint, ScriptPublicKey } from '../../../src/model/utxo.js'
import { countSignatureOperations } from '../../../src/script/run-script.js'
import { randomBody } from './body.js'
import { lastHash, remaining, run, type Case } from './case.js'
import { chooseOf, type Choose } from './choose.js'
import { randomLock, type Lock } from './lock.js'
import { randomNodeSpend, withOutpoints } from './node-spend.js'
import type { Spend } from './spend.js'
import { op, push } from './writing.js'

/** A case for a node, whose outputs are still to be created. */
export interface PlannedCase {
  readonly seed: number
  /** What it spends, by input. */
  readonly outputs: readonly PlannedOutput[]
  /** The case that spends the created outputs, which have one DAA score. */
  readonly complete: (outpoints: readonly Outpoint[], score: bigint) => Case
}

export interface PlannedOutput {
  readonly value: bigint
  readonly scriptPublicKey: ScriptPublicKey
  readonly covenantId: string | undefined
}

/** More are not standard. */
const MAX_SIGNATURE_OPERATIONS = 15

/**
 * The case of a seed, undefined where a node refuses its form. Scripts are made before their outpoints are known, so
 * the expected hash of what is left on the stack is in the signature script, below all else.
 */
export function planCase(seed: number, covenantIds: readonly string[]): PlannedCase | undefined {
  const choose = chooseOf(seed)
  const spend = randomNodeSpend(choose, covenantIds)
  const lock = randomLock(choose, 1)
  const body = randomBody(choose, spend)
  const { script, isCompared } = ended(choose, spend, lock, body)
  const locked = lock(spend, script)
  if (countSignatureOperations(locked.transaction.inputs[0]!.signatureScript) > MAX_SIGNATURE_OPERATIONS)
    return undefined
  return {
    seed,
    outputs: locked.spent.map(({ amount, scriptPublicKey, covenantId }) => ({
      value: amount,
      scriptPublicKey,
      covenantId,
    })),
    complete: (outpoints, score) => {
      const created = withOutpoints(spend, outpoints, score)
      if (!isCompared) return run(lock(created, script))
      const expected = lastHash(lock(created, script, push(new Uint8Array(32))))
      return run(lock(created, script, push(expected)))
    },
  }
}

/** The body and its end: what is left is dropped, or joined, hashed and compared with the lowest element. */
function ended(
  choose: Choose,
  spend: Spend,
  lock: Lock,
  body: string,
): { readonly script: string; readonly isCompared: boolean } {
  const left = remaining(lock(spend, body + op(0x51)))
  if (left === 0 || choose.is(0.3)) return { script: body + op(0x75).repeat(left) + op(0x51), isCompared: false }
  return { script: body + op(0x7e).repeat(left - 1) + op(0xaa) + op(0x87), isCompared: true }
}
