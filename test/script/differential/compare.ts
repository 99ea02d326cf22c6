import type { Case } from './case.js'
import type { Verdict } from './judge.js'
import { OPERANDS } from './operands.js'

/** The result of a differential run. */
export interface Comparison {
  readonly cases: number
  /** Cases that reached an opcode which this machine does not execute, or that the judge cannot be given. */
  readonly leftOut: number
  readonly accepted: number
  /** Cases of which the judge also refused a budget that is one too low. */
  readonly edges: number
  /** Cases on which the machine and the judge differ, with both verdicts. */
  readonly differences: readonly Judged[]
  /** Kinds of texts: numbers and hashes left out. */
  readonly kinds: ReadonlyMap<string, number>
  /** How often each opcode was executed in scripts that succeeded, and how often it was the one that failed. */
  readonly successes: ReadonlyMap<number, number>
  readonly failures: ReadonlyMap<number, number>
}

/** A case with two verdicts. */
export interface Judged {
  readonly seed: number
  readonly case: Case
  readonly ours: Verdict
  readonly theirs: Verdict
  /** Whether the case is run again with a budget that is one too low. */
  readonly isEdge?: boolean
}

/** Judges the cases of seeds, but those that it leaves out. */
export type JudgeSeeds = (seeds: readonly number[]) => Promise<readonly Judged[]>

/** Compares `count` cases from a seed on with a judge: verdict and text, and units where the judge has them. */
export async function compare(
  judge: JudgeSeeds,
  batch: number,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Comparison> {
  const [kinds, successes, failures] = [new Map<string, number>(), new Map<number, number>(), new Map<number, number>()]
  const differences: Judged[] = []
  let [cases, edges] = [0, 0]
  for (let done = 0; done < count; done += batch) {
    const seeds = Array.from({ length: Math.min(batch, count - done) }, (_, at) => seed + done + at)
    for (const judged of await judge(seeds)) {
      if (!areEqual(judged)) differences.push(judged)
      if (judged.isEdge === true) {
        edges++
        continue
      }
      cases++
      increment(kinds, toKind(judged.theirs.outcome))
      const { run, executed } = judged.case
      if (run.failure?.opcode !== undefined) increment(failures, run.failure.opcode)
      if (run.failure === undefined) for (const opcode of executed) increment(successes, opcode)
    }
  }
  return {
    cases,
    leftOut: count - cases,
    accepted: kinds.get('accepted') ?? 0,
    edges,
    differences,
    kinds,
    successes,
    failures,
  }
}

const EXCEEDED = 'script units exceeded the amount committed'

/** The engine leaves the refused charge out of its units; the text has it. */
const areEqual = ({ ours, theirs }: Judged): boolean =>
  ours.outcome === theirs.outcome &&
  (theirs.units === undefined || ours.units === theirs.units || ours.outcome.startsWith(EXCEEDED))

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
