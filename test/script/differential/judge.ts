import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What a judge says of a spend: `accepted` or the text of the failure, and the units until then. */
export interface Verdict {
  readonly outcome: string
  readonly units: number
}

/** Judges spends in the order of the lines. */
export type Judge = (lines: readonly string[]) => Promise<readonly Verdict[]>

/** Starts the program at `path`, gives it to `use`, and ends it. */
export async function withEngine<Result>(path: string, use: (judge: Judge) => Promise<Result>): Promise<Result> {
  const engine = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] })
  const replies = createInterface({ input: engine.stdout })[Symbol.asyncIterator]()
  const judge: Judge = async (lines) => {
    engine.stdin.write(lines.map((line) => `${line}\n`).join(''))
    const verdicts: Verdict[] = []
    for (const line of lines) {
      const { value, done } = await replies.next()
      if (done === true) throw new Error(`The engine ended at ${line}`)
      verdicts.push(JSON.parse(value) as Verdict)
    }
    return verdicts
  }
  try {
    return await use(judge)
  } finally {
    engine.kill()
  }
}
