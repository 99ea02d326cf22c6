import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program that reads and writes one JSON object a line. */
export interface LineProcess<Reply> {
  /** Rejects where the program ends before it has replied; its reason is on stderr. */
  readonly call: (request: object) => Promise<Reply>
  readonly close: () => void
}

export function openLines<Reply>(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): LineProcess<Reply> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  const waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout })
    .on('line', (line) => waiting.shift()?.resolve(JSON.parse(line) as Reply))
    .on('close', () => waiting.splice(0).forEach(({ reject }) => reject(new Error(`${program} ended`))))
  return {
    call: (request) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        child.stdin.write(`${JSON.stringify(request)}\n`)
      }),
    close: () => child.stdin.end(),
  }
}
