import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runInput } from '../../src/script/run-input.js'
import { toSpendingContext } from '../../src/script/spending.js'
import { scriptViolation } from '../../src/script/verify.js'
import { toSpent, toTransaction, type RecordedSpend } from './recorded.js'

/** Random scripts with the verdict of kaspad 2.1.0, and the units that its engine counts. */

interface RecordedScript extends RecordedSpend {
  readonly outcome: string
  readonly units: number
}

const scripts = readFileSync(new URL('../fixtures/contracts/scripts.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line.replace('"answer":', '"outcome":')) as RecordedScript)

function outcomeOf(recorded: RecordedSpend): { readonly outcome: string; readonly units: number } {
  const transaction = toTransaction(recorded)
  const { units, failure } = runInput(toSpendingContext(transaction, toSpent(recorded)), 0)
  const { signatureScript } = transaction.inputs[0]!
  return { outcome: failure === undefined ? 'accepted' : scriptViolation(signatureScript, failure), units }
}

describe('the script machine', () => {
  it('agrees with kaspad in verdict, text and units', () => {
    const outcomes = scripts.map(outcomeOf)
    expect(outcomes).toEqual(scripts.map(({ outcome, units }) => ({ outcome, units })))
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(500)
  })
})
