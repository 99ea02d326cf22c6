import { runInput } from '../src/script/run-input.js'
import { toSpendingContext } from '../src/script/spending.js'
import recordings from '../test/fixtures/contracts/spends.json'
import { toSpent, toTransaction, type RecordedSpend } from '../test/script/recorded.js'
import { limited } from './lib/limited.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

/** The first two are a warm-up. */
const ROUNDS = 9

/** One local run of a call that kaspad accepted, which plans need for their budgets. */
export function run(): BenchRow[] {
  return [
    rowOf('run one call of a counter', 'call +3, budget 0', { limit: 0.2, runs: 1_000 }),
    rowOf('run one token transfer, 2.7 kB of script, one signature', 'transfer 1→2 (600 B, 400 A)', {
      limit: 6,
      runs: 50,
    }),
  ]
}

function rowOf(
  what: string,
  name: string,
  { limit, runs }: { readonly limit: number; readonly runs: number },
): BenchRow {
  const cases = recordings.cases as unknown as readonly (RecordedSpend & { readonly name: string })[]
  const found = cases.find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no recorded spend "${name}"`)
  const [transaction, spent] = [toTransaction(found), toSpent(found)]
  const measure = (): number => {
    const from = process.cpuUsage()
    for (let done = 0; done < runs; done++) {
      const { failure } = runInput(toSpendingContext(transaction, spent), 0)
      if (failure !== undefined) throw new Error(`${name}: ${failure.reason}`)
    }
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1_000 / runs
  }
  const times = Array.from({ length: ROUNDS }, measure).slice(2)
  return limited(`${what}, processor time`, median(times), limit, 'ms', `, median of ${times.length} times ${runs}`)
}
