import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../src/model/transaction-id.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import { bound, output } from '../contract-calls/covenants.js'
import { callOf, Counter, counterOf, increment } from '../contract-calls/counter-rows.js'
import { deploy, submit, type CallHarness } from '../contract-calls/harness.js'
import { CALL_ROWS } from '../contract-calls/rows.js'
import { lead, owned, Token } from '../contract-calls/token-rows.js'
import { ALICE, BOB, build, keyInput } from '../contract-calls/transaction.js'
import { utxoCreatedBy } from '../devnode/ledger/wallet.js'
import { begins, builtOf, planOf, signed } from '../operations/contracts/plans.js'
import { replyOf } from '../submission-replies/calls.js'
import { BoundOutputs } from './bound-outputs.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const UTXOS = 200
const KAS = 100_000_000n

const miner = newAccount(PREFIX).address

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

const harnessOf = (node: Kaspad, funds: UtxoEntry[]): CallHarness => ({
  submit: (transaction, how) => replyOf(node.client(), transaction, how),
  mine: async (count) => {
    await untilNextTemplate()
    await node.mine(count, miner)
  },
  utxo: () => {
    const utxo = funds.pop()
    if (utxo === undefined) throw new Error('No UTXO is left')
    return Promise.resolve(utxo)
  },
})

describe('kaspad replies as a devnode', () => {
  let node: Kaspad
  let harness: CallHarness
  beforeAll(async () => {
    node = await startKaspad({ preallocated: { count: UTXOS, address: ALICE.address, amount: 50n * KAS } })
    harness = harnessOf(node, [...(await indexedUtxos(node.client(), [ALICE.address], UTXOS))])
  })
  afterAll(() => node.close())

  it('to a payment of version 1 before the first block', async () => {
    const payment = build({
      inputs: [keyInput(await harness.utxo())],
      outputs: [output(toScriptPublicKey(BOB.address))],
    })
    expect((await node.client().call('getBlockDagInfo', {})).virtualDaaScore).toBe(0n)
    expect(await submit(harness, payment)).toBe('taken')
    await node.mine(3, miner)
  })

  it.each(CALL_ROWS)('to $situation', async ({ replies, play }) => {
    expect(await play(harness)).toEqual(replies)
  })

  it('to plans: takes exact budgets at the least fee, and nothing less', async () => {
    const begun = signed(builtOf(planOf([], [begins(output(counterOf(7n)))], [await harness.utxo()])))
    expect(await submit(harness, begun)).toBe('taken')
    const token = await deploy(harness, Token, owned(1_000n))
    const next = [owned(600n, BOB), owned(400n)]
    const spends = [lead(token.utxo, owned(1_000n), next), increment(utxoCreatedBy(begun), 7n, 2n)]
    const counterId = begun.outputs[0]!.covenant!.covenantId
    const outputs = [
      ...next.map((state) => bound(token.covenantId, Token.scriptPublicKey(state))),
      bound(counterId, counterOf(9n), { authorizingInput: 1 }),
    ]
    const built = builtOf(planOf(spends, outputs, [await harness.utxo()]))
    const transaction = signed(built, spends)
    const tight = transaction.inputs.map((input, at) => (at === 0 ? { ...input, computeBudget: 12 } : input))
    expect(await submit(harness, { ...transaction, inputs: tight })).toContain('script units exceeded')
    const change = built.transaction.outputs.at(-1)!
    const cheaper = [...outputs, { ...change, value: change.value + 1n }]
    const below = signed({ ...built, transaction: { ...built.transaction, outputs: cheaper } }, spends)
    expect(await submit(harness, below)).toContain('under the required amount')
    expect(await submit(harness, transaction)).toBe('taken')
  })

  it('to a query of the mempool by the address of a state with the whole call', async () => {
    const contract = await deploy(harness, Counter, { count: 7n })
    await harness.mine(3)
    const call = await callOf(harness, contract)
    expect(await submit(harness, call)).toBe('taken')
    const address = Counter.scriptAddress({ count: 7n }, 'simnet')
    const request = { addresses: [address], includeOrphanPool: false, filterTransactionPool: false }
    const { entries } = await node.client().call('getMempoolEntriesByAddresses', request)
    const calls = entries.flatMap((entry) => entry.sending).map(({ transaction }) => transaction)
    const shown = calls.find(({ verboseData }) => verboseData?.transactionId === transactionId(call))
    expect(shown).toMatchObject({
      inputs: call.inputs.map(({ signatureScript, computeBudget }) => ({ signatureScript, computeBudget })),
      outputs: call.outputs,
    })
  })
})

describe('a reorg of 7 blocks in which another call wins', () => {
  let node: Kaspad
  let other: Kaspad
  let engine: ChainEngine
  let funds: UtxoEntry[]

  /** Mature outputs on a chain that survives restarts. */
  beforeAll(async () => {
    node = await startKaspad()
    await node.mine(20, ALICE.address)
    await node.mine(1_020, miner)
    funds = [...(await indexedUtxos(node.client(), [ALICE.address], 20))]
  })
  afterAll(async () => {
    await engine.dispose()
    await Promise.all([node.close(), other.close()])
  })

  it('undoes the call and what is chained on it, and leaves the rows of a follower as the index has them', async () => {
    const harness = harnessOf(node, funds)
    const contract = await deploy(harness, Counter, { count: 7n })
    await harness.mine(3)
    await node.stop()
    other = await startKaspad({ copyOf: node.folder })
    await node.start()
    engine = createChainEngine({ network: 'simnet', url: node.url, heartbeat: false })
    await engine.connection.connect()
    const followed = new BoundOutputs(engine, contract.covenantId, await node.sink())

    const first = await callOf(harness, contract)
    const chained = await callOf(harness, { ...contract, utxo: utxoCreatedBy(first) }, { count: 10n, step: 1n })
    const winner = await callOf(harnessOf(other, funds), contract, { step: 5n })
    expect([await submit(harness, first), await submit(harness, chained)]).toEqual(['taken', 'taken'])
    await harness.mine(7)
    await followed.until(await node.sink())
    expect(followed.outpoints()).toEqual([toOutpointKey(utxoCreatedBy(chained).outpoint)])

    const elsewhere = harnessOf(other, funds)
    expect(await submit(elsewhere, winner)).toBe('taken')
    await elsewhere.mine(28)
    await node.syncWith(other)
    await node.mine(3, miner)
    await followed.until(await node.sink())
    expect(followed.rollbacks).toBeGreaterThan(0)
    expect(followed.outpoints()).toEqual([toOutpointKey(utxoCreatedBy(winner).outpoint)])
    const indexed = await indexedUtxos(node.client(), [Counter.scriptAddress({ count: 12n }, 'simnet')])
    expect(indexed.map(({ outpoint, covenantId }) => [toOutpointKey(outpoint), covenantId])).toEqual([
      [toOutpointKey(utxoCreatedBy(winner).outpoint), contract.covenantId],
    ])
    const addresses = [8n, 10n, 11n].map((count) => Counter.scriptAddress({ count }, 'simnet'))
    expect((await node.client().call('getUtxosByAddresses', { addresses })).entries).toEqual([])
    await followed.stop()

    expect(await submit(harnessOf(node, funds), first), 'a reply that proves nothing').toBe(
      'transaction <call> was already accepted by the consensus',
    )
  })
})
