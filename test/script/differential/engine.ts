import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { caseOf, toLine } from './case.js'
import { compare, type Comparison, type JudgeSeeds } from './compare.js'
import { isExecuted, type Verdict } from './judge.js'

/** Judges spends in the order of the lines. */
type Engine = (lines: readonly string[]) => Promise<readonly Verdict[]>

const BATCH = 500

/** Compares cases with the engine of the node, the program at `path`. */
export const compareWithEngine = (path: string, count: number, seed: number): Promise<Comparison> =>
  withEngine(path, (engine) => compare(judgeOf(engine), BATCH, { count, seed }))

const judgeOf =
  (engine: Engine): JudgeSeeds =>
  async (seeds) => {
    const cases = seeds.map((seed) => ({ seed, case: caseOf(seed) })).filter((one) => isExecuted(one.case))
    const verdicts = await engine(cases.map((one) => toLine(one.case)))
    return cases.map((one, at) => {
      const { units, failure } = one.case.run
      return { ...one, ours: { outcome: failure?.reason ?? 'accepted', units }, theirs: verdicts[at]! }
    })
  }

/** Starts the program at `path`, gives it to `use`, and ends it. */
async function withEngine<Result>(path: string, use: (engine: Engine) => Promise<Result>): Promise<Result> {
  const engine = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] })
  const replies = createInterface({ input: engine.stdout })[Symbol.asyncIterator]()
  try {
    return await use(async (lines) => {
      engine.stdin.write(lines.map((line) => `${line}\n`).join(''))
      const verdicts: Verdict[] = []
      for (const line of lines) {
        const { value, done } = await replies.next()
        if (done === true) throw new Error(`The engine ended at ${line}`)
        verdicts.push(JSON.parse(value) as Verdict)
      }
      return verdicts
    })
  } finally {
    engine.kill()
  }
}
