import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What comes from a process of its own: words on the way, and at last what the function gave. */
type Message<T> = { readonly word: string } | { readonly result: T }

export interface Errand {
  /** The benchmark's own `import.meta.url`. */
  readonly module: string
  /** An exported function of it. */
  readonly name: string
  /** Plain data. */
  readonly args: readonly unknown[]
  /** Hears what the function says by `tellParent`. */
  readonly onWord?: (word: string) => void
}

/** What a function gives that runs in a process of its own, where nobody else's code or memory is. */
export async function apart<T>({ module, name, args, onWord }: Errand): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'vue-chain-bench-'))
  const script = join(folder, 'apart.mjs')
  writeFileSync(script, `import { ${name} as run } from ${JSON.stringify(module)}\n${RUN}`)
  try {
    return await new Promise<T>((resolve, reject) => {
      const child = fork(script, { execArgv: ['--expose-gc'], serialization: 'advanced' })
      child.on('message', (message: Message<T>) => {
        if ('word' in message) onWord?.(message.word)
        else resolve(message.result)
      })
      child.on('exit', (status) => reject(new Error(`${name} ended with status ${status} before it was done`)))
      child.send(args)
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Says something to whoever waits for this process. */
export const tellParent = (word: string): void => void process.send?.({ word })

const RUN = `
process.on('disconnect', () => process.exit(1))
process.once('message', async (args) => {
  process.send({ result: await run(...args) }, () => process.exit(0))
})
`
