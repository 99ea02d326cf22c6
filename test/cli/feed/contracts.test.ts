import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.js'
import { readFlags } from '../../../src/cli/feed/flags.js'
import { readContracts, readTokens } from '../../../src/cli/feed/open-contracts.js'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import { defineToken } from '../../../src/model/tokens/define-token.js'
import { covenantIdOfGenesis } from '../../../src/model/covenant-id.js'
import { Counter } from '../../contract-calls/counter-rows.js'
import { owned, Token } from '../../contract-calls/token-rows.js'
import { hasNats, startNats } from '../../feed/support/nats-server.js'
import { makePgliteFolder } from '../../feed/support/new-pglite.js'
import { freePort } from '../../free-port.js'
import { FULL } from '../../full.js'

/** `vue-chain feed --contracts`: a file of contracts, delivered by a process with health and metrics. */

const ARTIFACTS = resolve(import.meta.dirname, '../../fixtures/contracts/artifacts')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vue-chain-contracts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const outpoint = { transactionId: 'ab'.repeat(32), index: 1 }
const artifact = (name: string) => relative(folder, join(ARTIFACTS, `${name}.json`))

/** Writes what `JSON.stringify` makes of the list, with integers as text. */
function write(list: unknown): string {
  const file = join(folder, 'contracts.json')
  writeFileSync(
    file,
    JSON.stringify(list, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  )
  return file
}

it('reads artifacts from the folder of the file, and integers as text', async () => {
  const counter = { outpoint, outputs: [{ index: 0, value: 100_000_000n, state: { count: 7n } }] }
  const token = { outpoint, outputs: [{ index: 2, value: 100_000_000n, state: owned(1_000n) }] }
  const instances = await readContracts(
    write([
      { artifact: artifact('counter'), contract: 'Counter', templateHash: Counter.templateHash, genesis: counter },
      { artifact: artifact('token20'), genesis: token },
    ]),
  )
  expect(instances.map(({ contract }) => contract.templateHash)).toEqual([Counter.templateHash, Token.templateHash])
  expect(covenantIdOfGenesis(Counter, instances[0]!.genesis as never)).toBe(covenantIdOfGenesis(Counter, counter))
  expect(covenantIdOfGenesis(Token, instances[1]!.genesis as never)).toBe(covenantIdOfGenesis(Token, token))
})

it.each([
  ['no list', {}],
  ['an entry without an artifact', [{}]],
  ['a program that is not expected', [{ artifact: 'counter', templateHash: '00'.repeat(32) }]],
  [
    'a state of another contract',
    [{ artifact: 'counter', genesis: { outpoint, outputs: [{ index: 0, value: '1', state: {} }] } }],
  ],
  [
    'an amount that is no integer',
    [{ artifact: 'counter', genesis: { outpoint, outputs: [{ index: 0, value: '1.5', state: { count: '1' } }] } }],
  ],
  ['no genesis', [{ artifact: 'counter' }]],
])('refuses a file with %s by its flag', async (_, list) => {
  const items = Array.isArray(list)
    ? list.map((item) => ('artifact' in item ? { ...item, artifact: artifact(item.artifact) } : item))
    : list
  await expect(readContracts(write(items))).rejects.toMatchObject({ code: 'invalid-option', argument: 'contracts' })
})

it('reads tokens in the same form, and refuses a program that is none', async () => {
  const genesis = { outpoint, outputs: [{ index: 2, value: 100_000_000n, state: owned(1_000n) }] }
  const [token] = await readTokens(write([{ artifact: artifact('token20'), contract: 'Token20', genesis }]))
  expect(defineToken(token!)).toMatchObject({ covenantId: covenantIdOfGenesis(Token, genesis), supply: 1_000n })
  const counter = { outpoint, outputs: [{ index: 0, value: 100_000_000n, state: { count: 7n } }] }
  const file = write([{ artifact: artifact('counter'), genesis: counter }])
  await expect(readTokens(file)).rejects.toMatchObject({
    code: 'invalid-option',
    argument: 'token',
    message: expect.stringContaining('is not the state of KCC-20') as unknown,
  })
  const refused = expect.objectContaining({ code: 'invalid-option', argument: 'token' }) as unknown
  expect(() => readFlags(['--token=tokens.json', '--nats=nats://one', '--addresses=a'], {})).toThrow(refused)
  expect(readFlags(['--token=tokens.json'], {})).toMatchObject({ token: 'tokens.json', schema: 'vue_chain' })
})

it.each([
  '--token=tokens.json',
  '--addresses=a',
  '--replace',
  '--rewind=5',
  '--on-gap=continue',
  '--retain=90d',
  '--max-age=5',
])('does not take %s, which is of transfers', (flag) => {
  const argument = flag.slice(2).split('=')[0]
  expect(() => readFlags(['--contracts=contracts.json', flag], {})).toThrow(
    expect.objectContaining({ code: 'invalid-option', argument, message: `--${argument} is not for --contracts` }),
  )
})

it('has tables of its own, and needs no addresses for a stream', () => {
  const args = ['--contracts=contracts.json', '--nats=nats://one']
  expect(readFlags(args, {})).toMatchObject({ contracts: 'contracts.json', schema: 'vue_chain_contracts' })
  expect(readFlags([...args, '--schema=shop'], {})).toMatchObject({ schema: 'shop' })
})

/** Runs the command until its metrics count an output; resolves to its exit code and its health before. */
async function deliver(target: readonly string[]) {
  const devnode = await createDevnode({ blockInterval: 0 })
  await devnode.mine(3)
  const { genesis } = await devnode.contracts.deploy(Counter, { count: 7n })
  await devnode.mine(2)
  const port = await freePort()
  const print = (): void => undefined
  let interrupt = (): void => undefined
  const interrupted = new Promise<void>((resolve) => (interrupt = resolve))
  const file = write([{ artifact: artifact('counter'), genesis }])
  const place = ['--network=simnet', `--url=${devnode.urls.borsh}`, `--port=${port}`, '--confirmations=0']
  const context = { print, printError: print, untilInterrupted: () => interrupted }
  const ended = runCli(['feed', `--contracts=${file}`, ...place, ...target], context)
  const read = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      (response) => response.text(),
      () => '',
    )
  await expect.poll(() => read('/metrics')).toMatch(/^vue_chain_feed_transfers_total 1$/m)
  const health: unknown = JSON.parse(await read('/readyz'))
  interrupt()
  const code = await ended
  await devnode.close()
  return { code, health }
}

const DELIVERED = { code: 0, health: { isReady: true, role: 'active', watched: 1 } }

/** PGlite takes seconds of processor time to open its files. */
it.runIf(FULL || !hasNats)(
  'delivers outputs into PGlite, and serves health and metrics, until it is interrupted',
  async () => {
    const database = join(folder, 'rows')
    await makePgliteFolder(database)
    expect(await deliver([`--database=${database}`])).toMatchObject(DELIVERED)
  },
)

it.skipIf(!hasNats)('delivers them into a stream, likewise', async () => {
  const server = await startNats()
  expect(await deliver([`--nats=nats://127.0.0.1:${server.port}`])).toMatchObject(DELIVERED)
  await server.stop()
})
