import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const SCRIPT = new URL('../../scripts/leaks.mjs', import.meta.url).pathname
const AMOUNTS = ['--engines', '2', '--reconnects', '1', '--components', '3', '--timeout', '500']

/** Output of a run with these planted leaks. */
async function runWith(plants: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [SCRIPT, ...AMOUNTS, '--plant', plants])
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout, // a leak makes the process fail
  )
}

describe('npm run test:leaks', { retry: 0 }, () => {
  it('reports each kind of planted leak', async () => {
    const output = await runWith('timer,socket,subscription,listener,wasm,process')
    expect(output).toMatch(/in the end: Timeout/)
    expect(output).toMatch(/after 2 engines: a socket without a client/)
    expect(output).toMatch(/after 2 engines: a subscription to block-added/)
    expect(output).toMatch(/after the app: a listener to online/)
    expect(output).toMatch(/after 2 engines: 1 objects in WASM/)
    expect(output).toMatch(/^the process itself$/m)
    expect(output).not.toMatch(/ 0 left$/m)
  })
})
