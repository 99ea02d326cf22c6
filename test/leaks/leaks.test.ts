import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const SCRIPT = new URL('../../scripts/leaks.mjs', import.meta.url).pathname
const AMOUNTS = ['--engines', '2', '--reconnects', '1', '--components', '3', '--patience', '500']

/** What a run says that is left, with these things planted. */
async function leftWith(plants: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [SCRIPT, ...AMOUNTS, '--plant', plants])
  return run.then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout, // what is left makes it fail
  )
}

describe('the search for leaks', () => {
  it('finds each kind of thing that a sloppy library would leave behind', { timeout: 90_000 }, async () => {
    const left = await leftWith('timer,socket,subscription,listener,wasm,process')
    expect(left).toMatch(/in the end: Timeout/)
    expect(left).toMatch(/after 2 engines: a socket without a client/)
    expect(left).toMatch(/after 2 engines: a subscription to block-added/)
    expect(left).toMatch(/after the app: a listener to online/)
    expect(left).toMatch(/after 2 engines: 1 objects in WASM/)
    expect(left).toMatch(/^the process itself$/m)
    expect(left).not.toMatch(/ 0 left$/m)
  })
})
