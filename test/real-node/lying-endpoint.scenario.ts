import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createParts } from '../../src/engine/core.js'
import type { CoreParts } from '../../src/engine/core-parts.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { RpcMethod, RpcResponse } from '../../src/node/messages/records.js'
import type { PendingTx } from '../../src/operations/transactions/records.js'
import type { FollowChainOptions } from '../../src/streams/chain/options.js'
import { newAccount } from '../contract/node/support/payment.js'
import { changedResponse, type Lie } from '../hostile/lying-endpoint.js'
import { StoredProgram } from '../streams/chain/stored-program.js'
import { StoredRows, type StoredRow } from '../streams/chain/stored-rows.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'
import { startRewritingProxy, type Rewrite, type RewritingProxy } from './rewriting-proxy.js'

const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_100

const [alice, bob, miner] = [newAccount(PREFIX), newAccount(PREFIX), newAccount(PREFIX)]

let node: Kaspad
/** A node with the same history, which is connected to the first. */
let other: Kaspad
let liar: RewritingProxy
let honest: readonly RewritingProxy[]

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(HISTORY, alice.address)
  other = await startKaspad()
  await other.mine(1, miner.address)
  await other.syncWith(node)
  liar = await startRewritingProxy(node.url, '127.0.0.1')
  honest = [await startRewritingProxy(node.url, '127.0.0.2'), await startRewritingProxy(other.url, '127.0.0.3')]
})

afterAll(async () => {
  await Promise.all([liar, ...honest].map((proxy) => proxy.close()))
  await Promise.all([node.close(), other.close()])
})

const open = (proxies: readonly RewritingProxy[]): CoreParts =>
  createParts({
    network: 'simnet',
    resolver: false,
    urls: proxies.map(({ url }) => url),
    reconnect: { maxRetries: Infinity, baseDelay: 50, maxDelay: 500 },
  })

/** Lies about the blocks of the chain; none of them is invented. */
const lying =
  (lies: readonly Lie[], chain: readonly string[]): Rewrite =>
  (method, request, response) =>
    changedResponse(method, request, response, { lies: () => lies, isInvented: () => false, chain: () => chain })

const contentOf = (transaction: object): string =>
  JSON.stringify(transaction, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** The rows of a program that follows one honest node from a cursor of the same start. */
async function honestRows(options: FollowChainOptions): Promise<readonly StoredRow[]> {
  const { agree: _, ...alone } = options
  const program = new StoredProgram(() => open(honest.slice(0, 1)), alone, new StoredRows(contentOf))
  program.start()
  const sink = await node.sink()
  await expect.poll(() => program.stored.rows.at(-1)?.blockHash).toBe(sink)
  await program.stop()
  return program.stored.rows
}

const LIES: readonly (readonly [string, FollowChainOptions, readonly Lie[]])[] = [
  ['blue work', {}, [{ about: 'work', bits: 40, among: 1 }]],
  ['the order of blocks', {}, [{ about: 'order', of: 'blocks' }]],
  ['accepted transactions', { agree: 2 }, [{ about: 'omission', of: 'transactions', among: 1 }]],
  ['values', { agree: 2 }, [{ about: 'value', of: 'output', by: -1, among: 1 }]],
  ['blue scores', { agree: 2 }, [{ about: 'score', of: 'blueScore', by: 40, among: 1 }]],
]

describe('a proxy before a real node that rewrites', () => {
  it.each(LIES)('%s leaves the rows of the honest chain in the end', async (_, options, lies) => {
    const chain = [await node.sink()]
    const program = new StoredProgram(() => open([liar, ...honest]), options, new StoredRows(contentOf))
    liar.rewrite(lying(lies, chain))
    program.start()
    for (let round = 0; round < 10; round++) {
      await node.mine(2, round % 2 === 0 ? bob.address : miner.address)
      await new Promise((wait) => setTimeout(wait, 300))
    }
    expect(liar.rewritten()).toBeGreaterThan(0)
    liar.rewrite(undefined)
    program.restart()
    await expect
      .poll(
        async () => {
          await node.mine(1, miner.address)
          await new Promise((wait) => setTimeout(wait, 500))
          return program.failures.length > 0 || program.stored.rows.at(-1)?.blockHash === (await node.sink())
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    expect(program.failures).toEqual([])
    expect(program.stored.rows).toEqual(await honestRows(options))
    await program.stop()
  })
})

describe('S1 on a real node', () => {
  const engines: ChainEngine[] = []
  afterAll(() => Promise.all(engines.map((engine) => engine.dispose())))

  /** A signed payment of two UTXOs, by an engine of its own, behind a proxy that changes the amount of one of them. */
  async function signedWith(lied: number, by: bigint): Promise<PendingTx> {
    liar.rewrite((method, _, response) =>
      method === 'getUtxosByAddresses' ? withAmount(response, lied, by) : response,
    )
    const engine = createChainEngine({ network: 'simnet', url: liar.url, sdk: light })
    engines.push(engine)
    await engine.wasm.init()
    await engine.connection.connect()
    const entries = await engine.rpc.getUtxosByAddresses([alice.address])
    const chosen = mature(entries).slice(0, 2)
    const total = chosen.reduce((sum, { amount }) => sum + amount, 0n)
    const { transactions } = await engine.transactions.create({
      entries: chosen,
      outputs: [{ address: bob.address, amount: total - 3n * KAS }],
      changeAddress: alice.address,
    })
    liar.rewrite(undefined)
    const [transaction] = transactions
    if (transaction === undefined) throw new Error('A plan has a transaction')
    transaction.sign([alice.privateKey])
    return transaction
  }

  /** Those that can be spent, in one order. */
  const mature = (entries: readonly UtxoEntry[]): UtxoEntry[] =>
    entries
      .filter(({ blockDaaScore }) => blockDaaScore < 50n)
      .sort((a, b) => (a.outpoint.transactionId < b.outpoint.transactionId ? -1 : 1))

  const withAmount = <M extends RpcMethod>(response: RpcResponse<M>, lied: number, by: bigint): RpcResponse<M> => {
    const { entries } = response as RpcResponse<'getUtxosByAddresses'>
    const changed = mature(entries).map((entry, at) => (at === lied ? { ...entry, amount: entry.amount + by } : entry))
    return { ...response, entries: changed }
  }

  it('refuses every mixture of signatures made for two sets of amounts, and takes the one of the true amounts', async () => {
    const engine = createChainEngine({ network: 'simnet', url: honest[0]!.url, sdk: light })
    engines.push(engine)
    await engine.connection.connect()
    const [first, second] = [await signedWith(0, -10n * KAS), await signedWith(1, -10n * KAS)].map((one) =>
      one.serialize(),
    )
    expect(first!.id).not.toBe(second!.id)
    for (const [one, foreign] of [
      [first!, second!],
      [second!, first!],
    ] as const)
      for (const taken of [[], [0], [1], [0, 1]]) {
        const inputs = one.inputs.map((input, at) =>
          taken.includes(at) ? { ...input, signatureScript: foreign.inputs[at]!.signatureScript } : input,
        )
        await expect(engine.rpc.submitTransaction({ ...one, inputs })).rejects.toMatchObject({
          details: expect.stringMatching(/signature|script/i),
        })
      }
    const payment = await signedWith(0, 0n)
    const { id } = payment
    await engine.rpc.submitTransaction(payment.serialize())
    await new Promise((wait) => setTimeout(wait, 1_100)) // a template is cached for a second
    await node.mine(2, miner.address)
    await expect
      .poll(async () =>
        (await engine.rpc.getUtxosByAddresses([bob.address])).map(({ outpoint }) => outpoint.transactionId),
      )
      .toContain(id)
  })
})
