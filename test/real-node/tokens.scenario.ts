import { filter, firstValueFrom, map } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createContracts,
  createTokens,
  type Contracts,
  type TokenOwner,
  type Tokens,
} from '../../src/contracts/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toHex } from '../../src/model/hex.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createPgliteSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { light } from '../../src/sdk/light/light.js'
import { owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB, CAROL } from '../contract-calls/transaction.js'
import { createPglite } from '../feed/support/new-pglite.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import { token20 } from '../fixtures/contracts/modules/token20.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

/** Tokens on a real node: minted, divided, joined, counterfeited, and in a reorg in which another transfer wins. */

const miner = newAccount(PREFIX).address
const keys = { privateKeys: [ALICE, BOB].map(({ key }) => toHex(key)) }

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

async function open(node: Kaspad): Promise<{ engine: ChainEngine; contracts: Contracts; tokens: Tokens }> {
  const engine = createChainEngine({ network: 'simnet', url: node.url, heartbeat: false, sdk: light })
  await engine.connection.connect()
  await engine.wasm.init()
  const contracts = createContracts({ engine })
  return { engine, contracts, tokens: createTokens({ engine, contracts }) }
}

/** What an owner has of a token, once the chain shows it. */
const reaches = (tokens: Tokens, owner: TokenOwner, token: string, amount: bigint) =>
  firstValueFrom(
    tokens.balances$(owner).pipe(
      map((all) => all.find(({ covenantId, isLive }) => covenantId === token && isLive)),
      filter((one) => one?.balances.reduce((sum, each) => sum + each.amount, 0n) === amount),
    ),
  )

describe('tokens on kaspad', () => {
  let node: Kaspad
  let other: Kaspad | undefined
  let here: Awaited<ReturnType<typeof open>>
  let funds: UtxoEntry[]

  const funding = () => ({ entries: funds.splice(0, 1), changeAddress: ALICE.address })
  const mine = async (count: number, on = node): Promise<void> => {
    await untilNextTemplate()
    await on.mine(count, miner)
  }

  beforeAll(async () => {
    node = await startKaspad()
    await node.mine(30, ALICE.address)
    await node.mine(1_020, miner)
    funds = [...(await indexedUtxos(node.client(), [ALICE.address], 30))]
    here = await open(node)
  })
  afterAll(async () => {
    await here.engine.dispose()
    await Promise.all([node.close(), other?.close()])
  })

  it('are minted, divided, joined by a delegate, merged, and refused to others and to scripts', async () => {
    const { contracts, engine, tokens } = here
    const { sink: from } = await engine.rpc.getSink()
    const mint = await contracts.deploy(Token, owned(1_000n), funding())
    const counterfeit = await contracts.deploy(Token, owned(1_000n), funding())
    await mint.send(keys)
    await counterfeit.send(keys)
    await mine(3)
    const { covenantId: token, supply } = tokens.add({ artifact: token20, genesis: mint.genesis, from })
    expect([token, supply]).toEqual([mint.covenantId, 1_000n])
    expect(await reaches(tokens, ALICE.address, token, 1_000n)).toMatchObject({ isIncomplete: false })

    const transfer = async (given: Partial<Parameters<Tokens['transfer']>[0]>, signing = keys) => {
      const call = tokens.transfer({ token, to: BOB.address, amount: 600n, ...given })
      const plan = await contracts.transaction([call], funding())
      await plan.send(signing)
      await mine(2 + 2 * plan.transactions.length)
      return plan
    }
    await transfer({})
    await reaches(tokens, BOB.address, token, 600n)
    await transfer({ amount: 100n })
    await reaches(tokens, BOB.address, token, 700n)
    const joined = await transfer({ to: CAROL.address, amount: 650n, from: BOB.address })
    const budgets = joined.transactions[0]!.serialize().inputs.map(({ computeBudget }) => computeBudget)
    expect(budgets.slice(1, 2)).toEqual([10])
    await reaches(tokens, CAROL.address, token, 650n)

    const onlyAlice = { privateKeys: keys.privateKeys.slice(0, 1) }
    await expect(transfer({ amount: 50n, from: BOB.address }, onlyAlice)).rejects.toMatchObject({ outcome: 'unsent' })
    const script = Token.scriptAddress(owned(5n), 'simnet')
    await expect(transfer({ to: script, amount: 1n })).rejects.toMatchObject({ code: 'unsupported-owner' })
    await reaches(tokens, ALICE.address, token, 300n)
    expect(() => tokens.add({ artifact: token20, genesis: counterfeit.genesis, covenantId: token })).toThrow(
      expect.objectContaining({ code: 'genesis-mismatch', computed: counterfeit.covenantId, given: token }),
    )
  })

  it('are merged in chained transactions before a transfer', async () => {
    const { contracts, engine, tokens } = here
    const { sink: from } = await engine.rpc.getSink()
    const states = Array.from({ length: 6 }, () => owned(100n))
    const mint = await contracts.deploy(Token, states, funding())
    await mint.send(keys)
    await mine(3)
    const { covenantId: token } = tokens.add({ artifact: token20, genesis: mint.genesis, from })
    const plan = await contracts.transaction([tokens.transfer({ token, to: BOB.address, amount: 600n })], funding())
    expect(plan.transactions).toHaveLength(3)
    await plan.send(keys)
    await mine(6)
    expect(await reaches(tokens, BOB.address, token, 600n)).toMatchObject({ balances: [{ outputs: 1 }] })
  })

  it('are stored by a feed, and follow a reorg in which another transfer wins, there too', async () => {
    const { contracts, engine, tokens } = here
    const database = await createPglite()
    const stopped = new AbortController()
    /** What owners have in the tables, and how often KAS of it was counted. */
    const stored = async (): Promise<readonly unknown[]> => {
      const text = `select b.address, b.amount::int as amount, (select count(*)::int from vue_chain.transfer) as kas
        from vue_chain.token_balance as b where outputs > 0 order by amount`
      const { rows } = await database.query<Record<string, unknown>>(text)
      return rows.map(({ address, amount, kas }) => [address, amount, kas])
    }
    const has = (address: string, amount: number) => [address, amount, 0]
    const { sink: from } = await engine.rpc.getSink()
    const mint = await contracts.deploy(Token, owned(1_000n), funding())
    await mint.send(keys)
    await mine(3)
    const { covenantId: token } = tokens.add({ artifact: token20, genesis: mint.genesis, from })
    await reaches(tokens, ALICE.address, token, 1_000n)
    const feed = createFeed({
      engine,
      from,
      watch: [],
      minConfirmations: 0,
      sink: createPgliteSink({ database }),
      tokens: [{ artifact: token20, genesis: mint.genesis }],
    })
    const ended = feed.run({ signal: stopped.signal })
    await firstValueFrom(feed.status$.pipe(filter(({ tokens: followed }) => followed === 1)))
    await expect.poll(stored).toEqual([has(ALICE.address, 1_000)])
    await engine.connection.disconnect()
    await node.stop()
    other = await startKaspad({ copyOf: node.folder })
    await node.start()
    await engine.connection.connect()

    const lost = [tokens.transfer({ token, to: BOB.address, amount: 600n })]
    await (await contracts.transaction(lost, funding())).send(keys)
    await mine(7)
    await reaches(tokens, BOB.address, token, 600n)
    await expect.poll(stored).toEqual([has(ALICE.address, 400), has(BOB.address, 600)])

    const there = await open(other)
    there.tokens.add({ artifact: token20, genesis: mint.genesis, from })
    const won = [there.tokens.transfer({ token, to: CAROL.address, amount: 100n })]
    await (await there.contracts.transaction(won, funding())).send(keys)
    await mine(28, other)
    await there.engine.dispose()
    await node.syncWith(other)
    await mine(3)
    await reaches(tokens, CAROL.address, token, 100n)
    await reaches(tokens, ALICE.address, token, 900n)
    await reaches(tokens, BOB.address, token, 0n)
    await expect.poll(stored).toEqual([has(CAROL.address, 100), has(ALICE.address, 900)])
    stopped.abort()
    await ended
    await database.close()
  })
})
