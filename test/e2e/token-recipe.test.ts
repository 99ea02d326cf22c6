/** The recipe "History" of docs/tokens.md, as it is printed there: killed at any instant, each transfer counts once. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { transformSync } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { createContracts, createTokens, tokenState, type Contracts, type Tokens } from '../../src/contracts/index.js'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/sdk/light/light.js'
import { Token } from '../contract-calls/token-rows.js'
import { token20 } from '../fixtures/contracts/modules/token20.js'
import { FULL } from '../full.js'
import { startProgram, type ExampleProcess } from './example-process.js'

const ROOT = resolve(import.meta.dirname, '../..')
const PROGRAMS = join(ROOT, '.cache/programs')
const RECIPE = join(PROGRAMS, `token-history-${process.pid}.mjs`)
const KILLS = FULL ? 40 : 3

let devnode: Devnode
let engine: ChainEngine
let contracts: Contracts
let tokens: Tokens
let token: string
let genesis: string
let folder: string
let program: ExampleProcess | undefined

const toModule = (code: string): string => transformSync(code, { loader: 'ts' }).code

beforeAll(async () => {
  const page = await readFile(join(ROOT, 'docs/tokens.md'), 'utf8')
  const [, code = ''] = /^## History\n[\s\S]*?^```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  const confirmations = 'minConfirmations: 100'
  expect(code).toContain(confirmations)
  await mkdir(PROGRAMS, { recursive: true })
  await writeFile(RECIPE, toModule(code.replace(confirmations, 'minConfirmations: 1'))) // reorgs undo what it has
  const module = await readFile(join(ROOT, 'test/fixtures/contracts/modules/token20.ts'), 'utf8')
  await writeFile(`${RECIPE}.artifact.mjs`, toModule(module))
})
afterAll(() => Promise.all([RECIPE, `${RECIPE}.artifact.mjs`].map((path) => rm(path, { force: true }))))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'token-recipe-'))
  devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
  engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await engine.connection.connect()
  await engine.wasm.init()
  contracts = createContracts({ engine })
  tokens = createTokens({ engine, contracts })
  const plan = await contracts.deploy(Token, tokenState(issuer().address, 1_000n), await funding())
  await plan.send(signing())
  await devnode.mine(2)
  token = tokens.add({ artifact: token20, genesis: plan.genesis }).covenantId
  genesis = JSON.stringify(plan.genesis, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
})
afterEach(async () => {
  await program?.kill()
  await engine.dispose()
  await devnode.close()
  await rm(folder, { recursive: true, force: true })
})

const issuer = () => devnode.accounts[0]!
const customer = () => devnode.accounts[1]!
const signing = () => ({ privateKeys: devnode.accounts.map(({ privateKeyHex }) => privateKeyHex) })

async function funding() {
  const { address } = issuer()
  return { entries: await engine.rpc.getUtxosByAddresses([address]), changeAddress: address }
}

/** The issuer pays the customer, with a confirmation. */
async function pay(amount: bigint): Promise<void> {
  const plan = await contracts.transaction(
    [tokens.transfer({ token, to: customer().address, amount })],
    await funding(),
  )
  await plan.send(signing())
  await devnode.mine(4) // one has it, the next one accepts it
}

function start(hang = ''): ExampleProcess {
  program = startProgram(join(ROOT, 'test/e2e/token-recipe.js'), {
    RECIPE,
    ARTIFACT: `${RECIPE}.artifact.mjs`,
    NODE: devnode.urls.borsh,
    GENESIS: genesis,
    ADDRESS: customer().address,
    DATA: join(folder, 'table.json'),
    HANG: hang,
  })
  return program
}

it.each(['received', 'stored'])('counts a transfer once where it is killed when it is %s', async (instant) => {
  await pay(5n)
  const first = start(instant)
  await first.printed(`Hangs where it is ${instant}`)
  await first.kill()
  await pay(7n)
  await start().printed('Transfers in5,in7.')
})

it('counts each transfer once where it is killed at random instants, through reorgs that move it', async () => {
  const random = createRandom(5)
  const amounts = Array.from({ length: KILLS }, (_, kill) => BigInt(kill + 1))
  for (const amount of amounts) {
    const running = start()
    await pay(amount)
    await pause(random() * 1_200) // any instant of its life
    await devnode.reorg({ depth: 4 })
    await devnode.mine(4) // the transfer is in other blocks
    await running.kill()
  }
  await pay(99n)
  await start().printed(`Transfers ${[...amounts, 99n].map((amount) => `in${amount}`).join()}.`)
})
