import { caseOf, toLine, type Case } from './case.js'
import { OPERANDS } from './operands.js'
import { withEngine, type Judge, type Verdict } from './judge.js'

/** The result of a differential run. */
export interface Comparison {
  readonly cases: number
  /** Cases that reached an opcode which this machine does not execute. */
  readonly leftOut: number
  readonly accepted: number
  /** Cases on which the machine and the engine differ, as the engine reads them, with both verdicts. */
  readonly differences: readonly {
    readonly seed: number
    readonly line: string
    readonly ours: Verdict
    readonly theirs: Verdict
  }[]
  /** Kinds of texts: numbers and hashes left out. */
  readonly kinds: ReadonlyMap<string, number>
  /** How often each opcode was executed in scripts that succeeded, and how often it was the one that failed. */
  readonly successes: ReadonlyMap<number, number>
  readonly failures: ReadonlyMap<number, number>
}

const BATCH = 500
const NOT_EXECUTED = 'the simulated network does not execute opcode'

/** Compares `count` cases from a seed on with the engine at `path`: verdict, text and units. */
export const compareWithEngine = (path: string, count: number, seed: number): Promise<Comparison> =>
  withEngine(path, (judge) => compare(judge, count, seed))

async function compare(judge: Judge, count: number, seed: number): Promise<Comparison> {
  const [kinds, successes, failures] = [new Map<string, number>(), new Map<number, number>(), new Map<number, number>()]
  const differences: Comparison['differences'][number][] = []
  let leftOut = 0
  for (let done = 0; done < count; done += BATCH) {
    const cases = Array.from({ length: Math.min(BATCH, count - done) }, (_, at) => caseOf(seed + done + at))
    const lines = cases.map(toLine)
    for (const [at, theirs] of (await judge(lines)).entries()) {
      const found = cases[at]!
      const ours = toVerdict(found)
      if (ours.outcome.startsWith(NOT_EXECUTED)) {
        leftOut++
        continue
      }
      if (!areEqual(ours, theirs)) differences.push({ seed: seed + done + at, line: lines[at]!, ours, theirs })
      increment(kinds, toKind(theirs.outcome))
      if (found.run.failure?.opcode !== undefined) increment(failures, found.run.failure.opcode)
      if (found.run.failure === undefined) for (const opcode of found.executed) increment(successes, opcode)
    }
  }
  return {
    cases: count - leftOut,
    leftOut,
    accepted: kinds.get('accepted') ?? 0,
    differences,
    kinds,
    successes,
    failures,
  }
}

const toVerdict = ({ run: { units, failure } }: Case): Verdict => ({ outcome: failure?.reason ?? 'accepted', units })

/** The engine leaves the refused charge out of its units; the text has it. */
const areEqual = (ours: Verdict, theirs: Verdict): boolean =>
  ours.outcome === theirs.outcome &&
  (ours.units === theirs.units || ours.outcome.startsWith('script units exceeded the amount committed'))

const toKind = (outcome: string): string =>
  outcome
    .replace(/\[[^[\]]*\]/g, '[]')
    .replace(/\b[0-9a-f]{64}\b/g, 'H')
    .replace(/0x[0-9a-f]+/g, 'X')
    .replace(/-?\d+/g, 'N')

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The opcodes that the cases use on purpose. */
export const USED_OPCODES: readonly number[] = [...OPERANDS.keys(), 0x63, 0x64, 0x67, 0x68, 0x6c]
