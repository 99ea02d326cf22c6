/** The recipe "Survive a restart" of docs/transactions.md, as it is printed there. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { transformSync } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { FULL } from '../full.js'
import { startProgram, type ExampleProcess } from './example-process.js'

const ROOT = resolve(import.meta.dirname, '../..')
const RECIPE = join(ROOT, '.cache/programs', `survive-a-restart-${process.pid}.mjs`)
const KILLS = FULL ? 40 : 3

let devnode: Devnode
let folder: string
let program: ExampleProcess | undefined
let recipients: Account

beforeAll(async () => {
  const page = await readFile(join(ROOT, 'docs/transactions.md'), 'utf8')
  const [, code = ''] = /^## Survive a restart\n[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  const settings = "{ network: 'mainnet', sdk: light }"
  expect(code).toContain(settings)
  const tested = "{ network: 'simnet', sdk: light, url: process.env.NODE, reconnect: { baseDelay: 50 } }"
  await mkdir(join(ROOT, '.cache/programs'), { recursive: true })
  await writeFile(RECIPE, transformSync(code.replace(settings, tested), { loader: 'ts' }).code)
  const engine = createChainEngine({ network: 'simnet' })
  recipients = await engine.accounts.fromExtendedPublicKey(vectors[1]!.kpub, { startIndex: 0 })
  await engine.dispose()
})
afterAll(() => rm(RECIPE, { force: true }))
beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
  folder = await mkdtemp(join(tmpdir(), 'restart-recipe-'))
})
afterEach(async () => {
  await program?.kill()
  await devnode.close()
  await rm(folder, { recursive: true, force: true })
})

/** Pays these withdrawals, 1 KAS each, to an address of its own. */
function start(ids: readonly number[], node = devnode, hang = ''): ExampleProcess {
  program = startProgram(join(ROOT, 'test/e2e/restart-recipe.js'), {
    RECIPE,
    NODE: node.urls.borsh,
    ADDRESS: devnode.accounts[0]!.address,
    PRIVATE_KEY: devnode.accounts[0]!.privateKeyHex,
    RECIPIENTS: JSON.stringify(Object.fromEntries(ids.map((id) => [id, recipients.address(id)]))),
    DATA: join(folder, 'table.json'),
    HANG: hang,
  })
  return program
}

const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Mines until the program has read from the chain that all are paid. */
async function expectPaidOnce(running: ExampleProcess, ids: readonly number[], node = devnode): Promise<void> {
  const done = new AbortController()
  const all = Promise.all(ids.map((id) => running.printed(`${id}: paid`))).finally(() => done.abort())
  while (!done.signal.aborted) {
    await node.mine(25)
    await pause(150) // the program starts, submits, and reads the blocks
  }
  await all
  if (node !== devnode) await devnode.sync(node)
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
}

it.runIf(FULL)('pays once where it is killed after the payment is stored, before it is sent', async () => {
  const first = start([1], devnode, 'stored')
  await first.printed('Stored')
  expect(devnode.expected.mempool()).toEqual([])
  await first.kill()
  await expectPaidOnce(start([1]), [1])
})

it('pays once where it is killed after the payment is sent, before the reply', async () => {
  const first = start([1])
  devnode.faults.dropReply({ method: 'submitTransaction', times: 0 })
  await expect.poll(() => devnode.expected.mempool()).toHaveLength(1)
  await first.kill()
  devnode.faults.clear()
  await devnode.restart() // without mempool
  await expectPaidOnce(start([1]), [1])
})

it('pays once where its node loses the mempool while it runs', async () => {
  const running = start([1])
  await expect.poll(() => devnode.expected.mempool()).toHaveLength(1)
  await devnode.restart()
  expect(devnode.expected.mempool()).toEqual([])
  await expect.poll(() => devnode.expected.mempool()).toHaveLength(1)
  await expectPaidOnce(running, [1])
})

it('pays once through a node in its initial download, for longer than all look-ups', async () => {
  const older = devnode.snapshot()
  await expectPaidOnce(start([1]), [1])
  await program?.kill()
  const behind = await devnode.fork({ snapshot: older })
  try {
    const first = start([2])
    await expect.poll(() => devnode.expected.mempool()).toHaveLength(1)
    await first.kill()
    await devnode.mine(2)
    await behind.sync(devnode, { headersOnly: true })
    const running = start([1, 2, 3], behind)
    await running.printed('is an orphan where orphan is disallowed', 8)
    await expect.poll(() => behind.expected.mempool()).toHaveLength(1) // the third, from another UTXO
    await behind.sync(devnode)
    await expectPaidOnce(running, [2, 3], behind)
    expect(timesPaid(1)).toBe(1)
  } finally {
    await program?.kill()
    await behind.close()
  }
})

it('pays once through a node that refuses everything for reasons of its own', async () => {
  const message = `Rejected transaction ${'ab'.repeat(32)}: transaction could not be added to the mempool because it's full with transactions with higher priority`
  devnode.faults.failCall({ method: 'submitTransaction', message, times: 0 })
  const first = start([1])
  await first.printed('higher priority', 6)
  await first.kill()
  const second = start([1])
  await second.printed('higher priority', 6)
  devnode.faults.clear()
  await expectPaidOnce(second, [1])
})

it('pays each withdrawal once where it is killed at random instants, under faults and reorgs', async () => {
  const random = createRandom(9)
  const ids = [0, 1, 2, 3, 4]
  for (let kill = 0; kill < KILLS; kill++) {
    devnode.faults.random(kill, 6, ['drop', 'delay', 'dropReply', 'duplicate'])
    const running = start(ids)
    await pause(random() * 1_500) // any instant of its life
    await devnode.mine(2)
    if (random() < 0.5) await devnode.reorg({ depth: 1 })
    await running.kill()
    devnode.faults.clear()
    if (random() < 0.5) await devnode.restart()
  }
  await expectPaidOnce(start(ids), ids)
})
