/** Commands whose standard output is read to its first line only, as by `| head -1`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { freePort } from '../free-port.js'

const DIST = resolve(import.meta.dirname, '../../dist')

/** Runs a command whose output nothing reads; `exited` resolves to its exit code and its standard error. */
function run(file: string, ...args: string[]) {
  const command = spawn(process.execPath, [resolve(DIST, file), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  command.stdout.destroy()
  const exited = Promise.all([once(command, 'exit'), text(command.stderr)]).then(([[code], err]) => ({
    code: code as number | null,
    err,
  }))
  return { command, exited }
}

it('vue-chain doctor exits with its usual code', async () => {
  const devnode = await createDevnode({ accounts: 1 })
  const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--rest', devnode.urls.rest]
  expect(await run('cli.js', 'doctor', ...flags).exited).toEqual({ code: 0, err: '' })
  await devnode.close()
  expect(await run('cli.js', 'doctor', ...flags).exited).toEqual({ code: 1, err: '' })
})

it.each([
  ['vue-chain', 'cli.js', ['devnode']],
  ['vue-chain-devnode', 'devnode-cli.js', []],
])('%s serves on: its output is only a log', async (_, file, command) => {
  const ports = await Promise.all(['borsh', 'json', 'rest', 'control'].map(async (name) => [name, await freePort()]))
  const flags = ports.map(([name, port]) => `--${name}-port=${port}`)
  const running = run(file, ...command, ...flags)
  const url = `http://127.0.0.1:${Object.fromEntries(ports).rest}/info/blockdag`
  let outcome: unknown // the status of the first response, or how the command has ended before
  void running.exited.then((end) => (outcome ??= end))
  const request = () =>
    fetch(url).then(
      ({ status }) => (outcome ??= status),
      () => outcome,
    )
  await expect.poll(request).toBeDefined()
  expect(outcome).toBe(200)
  running.command.kill('SIGINT')
  expect(await running.exited).toEqual({ code: 0, err: '' })
})

it('vue-chain mcp ends: nothing reads its responses', async () => {
  const { command, exited } = run('cli.js', 'mcp')
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`)
  expect(await exited).toEqual({ code: 0, err: '' })
})
