import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onAbort } from '../../src/loading/abortable.js'

/** Messages of the child process: any number of texts, then the result of the function. */
type Message<T> = { readonly text: string } | { readonly result: T }

export interface ChildTask {
  /** The benchmark's own `import.meta.url`. */
  readonly module: string
  /** Name of an exported function of the module. */
  readonly name: string
  /** Plain data, serialised by `v8`. */
  readonly args: readonly unknown[]
  /** Receives the messages sent by `sendToParent`. */
  readonly onMessage?: (text: string) => void
  /** Ends the process; the promise rejects then. */
  readonly signal?: AbortSignal
}

/** Runs a function in its own process, separate from other code and memory; resolves to its result. */
export async function runInChildProcess<T>({ module, name, args, onMessage, signal }: ChildTask): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-bench-'))
  const script = join(folder, 'run.mjs')
  writeFileSync(script, `import { ${name} as run } from ${JSON.stringify(module)}\n${RUN}`)
  try {
    return await new Promise<T>((resolve, reject) => {
      const child = fork(script, { execArgv: ['--expose-gc'], serialization: 'advanced' })
      child.on('message', (message: Message<T>) => {
        if ('text' in message) onMessage?.(message.text)
        else resolve(message.result)
      })
      child.send(args)
      const end = onAbort(signal, () => {
        if (child.connected) child.disconnect()
      })
      child.on('exit', (status) => {
        end()
        reject(new Error(`${name} ended with status ${status} before it was done`))
      })
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sends a text to the parent process. */
export const sendToParent = (text: string): void => void process.send?.({ text })

const RUN = `
process.on('disconnect', () => process.exit(1))
process.once('message', async (args) => {
  process.send({ result: await run(...args) }, () => process.exit(0))
})
`
