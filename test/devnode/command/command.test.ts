import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_MNEMONIC } from '../../../src/devnode/accounts.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import { connect, type TestClient } from '../../contract/node/support/client.js'
import { freePort } from '../../free-port.js'
import { listen } from '../../listen.js'
import { bundle, type Bundle } from '../support/bundle.js'

const FREE_PORTS = ['--borsh-port=0', '--json-port=0', '--rest-port=0', '--control-port=0']

let command: Bundle
beforeAll(async () => {
  command = await bundle('src/devnode/cli.ts')
})
afterAll(() => command.remove())

const run = (...args: string[]): ChildProcess => spawn(process.execPath, [command.path, ...args])

/** Exit code and output of a command that ends by itself. */
async function result(running: ChildProcess) {
  const [out, err] = [[] as Buffer[], [] as Buffer[]]
  running.stdout?.on('data', (data: Buffer) => out.push(data))
  running.stderr?.on('data', (data: Buffer) => err.push(data))
  const [code] = (await once(running, 'close')) as [number | null]
  return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
}

async function firstLines(running: ChildProcess, count: number): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const line of createInterface({ input: running.stdout! })) {
    if (lines.push(line) === count) break
  }
  return lines
}

describe('vue-chain-devnode', () => {
  it('prints URLs and accounts in ten lines, serves, and exits with 0 on Ctrl-C', async () => {
    const running = run(...FREE_PORTS)
    const lines = await firstLines(running, 10)
    const [title, rpc, rest, control, mnemonic, ...accounts] = lines
    expect(title).toBe('vue-chain-devnode · simnet · a block every 1000 ms')
    expect(rpc).toMatch(/^RPC {6}ws:\/\/127\.0\.0\.1:\d+ \(Borsh\) {3}ws:\/\/127\.0\.0\.1:\d+ \(JSON\)$/)
    expect(rest).toMatch(/^REST {5}http:\/\/127\.0\.0\.1:\d+$/)
    expect(control).toMatch(/^Control {2}http:\/\/127\.0\.0\.1:\d+$/)
    expect(mnemonic).toBe(
      `10 accounts of the mnemonic "${TEST_MNEMONIC}". Its keys are public: never send real funds to them.`,
    )
    expect(accounts.join('\n').match(/kaspasim:q[a-z0-9]{60} [0-9a-f]{64} 1000 KAS/g)).toHaveLength(10)

    const client = await connect(/ws:\S+/.exec(rpc ?? '')?.[0] ?? '', createBorshCodec())
    expect((await client.call('getServerInfo', {})).networkId).toBe('simnet')
    running.kill('SIGINT')
    const [code] = (await once(running, 'exit')) as [number | null]
    expect(code).toBe(0)
  })

  it('prints nothing with --quiet, and exits with 0 on SIGTERM', async () => {
    const port = await freePort()
    const running = run('--quiet', `--borsh-port=${port}`, ...FREE_PORTS.slice(1))
    const ended = result(running)
    const untilUp = (): Promise<TestClient> => connect(`ws://127.0.0.1:${port}`, createBorshCodec()).catch(untilUp)
    await (await untilUp()).call('ping', {})
    running.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, out: '', err: '' })
  })

  it('prints the port in use in one line, and exits with 1', async () => {
    const { port, close } = await listen(createServer())
    expect(await result(run(...FREE_PORTS.slice(1), `--borsh-port=${port}`))).toEqual({
      code: 1,
      out: '',
      err: `vue-chain-devnode: Port ${port} is already in use (--borsh-port). Stop the process that uses it, or choose another port; 0 takes any free one.\n`,
    })
    await close()
  })

  it('prints an unknown or invalid flag in one line, and exits with 1', async () => {
    expect(await result(run('--colour'))).toEqual({
      code: 1,
      out: '',
      err: "vue-chain-devnode: Unknown option '--colour'. See --help.\n",
    })
    expect((await result(run('--block-interval=99999999999'))).err).toBe(
      'vue-chain-devnode: Devnode option "blockInterval" is invalid (--block-interval). Allowed is a whole number from 0 to 2147483647.\n',
    )
  })

  it('prints its flags with --help', async () => {
    const { code, out } = await result(run('--help'))
    expect(code).toBe(0)
    expect(out).toContain('--block-interval   1000       milliseconds from one block to the next; 0 mines on demand')
  })
})
