import { runCli } from '../../src/cli/run-cli.js'

/** Runs the command in this process; what it prints is collected. */
export async function runCollected(...args: string[]) {
  const [out, err] = [[] as string[], [] as string[]]
  const code = await runCli(args, {
    print: (line) => void out.push(line),
    printError: (line) => void err.push(line),
    untilInterrupted: () => Promise.resolve(),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
