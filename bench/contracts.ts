import { isDeepStrictEqual } from 'node:util'
import { toOutpointKey } from '../src/model/utxo.js'
import { runInput } from '../src/script/run-input.js'
import { toSpendingContext } from '../src/script/spending.js'
import { applyTransaction } from '../src/streams/contracts/apply-transaction.js'
import { chainOfCalls, Counter } from './lib/chain-of-calls.js'
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
    followed('with execution', 10, () => []),
    followed('by construction', 0.5, (count) => [Counter.redeemScript({ count })]),
  ]
}

/** Calls of one counter, one after the other. */
const CALLS = 500

/** The rows of followed calls, whose scripts are `constructed` or executed. */
function followed(how: string, limit: number, constructed: (count: bigint) => readonly string[]): BenchRow {
  const { covenant, start, calls } = chainOfCalls(CALLS)
  const measure = (): number => {
    const rows = new Map([[toOutpointKey(start.outpoint), start]])
    const covenants = new Map([[covenant.covenantId, covenant]])
    const cause = { blockHash: 'ab'.repeat(32), blueScore: 1n }
    const from = process.cpuUsage()
    for (const { transaction, count } of calls) {
      const context = {
        covenants,
        rows,
        constructed: constructed(count),
        cause,
        daaScore: 1n,
        recognise: () => undefined,
        awaited: new Map<never, never>(),
      }
      for (const row of applyTransaction(transaction, context)) rows.set(toOutpointKey(row.outpoint), row)
    }
    const { user, system } = process.cpuUsage(from)
    const last = [...rows.values()].at(-1)?.state
    if (!isDeepStrictEqual(last, { count: BigInt(CALLS) })) throw new Error('The last state is another one')
    return (user + system) / 1_000 / CALLS
  }
  const times = Array.from({ length: ROUNDS }, measure).slice(2)
  const detail = `, ${String(Math.round(1_000 / median(times)))} a second, median of ${times.length} times ${CALLS}`
  return limited(`follow one call of a counter ${how}, processor time`, median(times), limit, 'ms', detail)
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
