import { expect, it } from 'vitest'
import { createLedger, type Ledger, type LedgerMethod } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import genesis from '../../fixtures/consensus/genesis.json'
import { ADDRESSES, recorded } from './recorded.js'
import { coinsOf, FEE, send, walletOf } from './wallet.js'
import { mineOn, scoreOf, simnet, told, waiting } from './world.js'

/** What was recorded of a fresh node after each of its first blocks. */
interface LinearStep {
  readonly n: number
  readonly virtualDaaScore: string
  readonly blockCount: string
  readonly sinkBlueScore: string
  readonly supply: string
  readonly difficulty: number
  readonly pastMedianTime: string
  readonly header?: {
    readonly version: number
    readonly daaScore: string
    readonly blueScore: string
    readonly timestamp: string
    readonly bits: number
  }
  readonly coinbase?: {
    readonly id: string
    readonly hash: string
    readonly payload: string
    readonly outputs: readonly string[]
  }
  readonly utxos?: readonly { readonly transactionId: string; readonly blockDaaScore: string }[]
}

const linearSteps = recorded('linear-chain').steps as readonly LinearStep[]

/** The value of an answer that must be one. */
function ask<M extends LedgerMethod>(ledger: Ledger, method: M, request: RpcRequest<M>): RpcResponse<M> {
  const answer = ledger.answer(method, request, 0)
  if (!answer.ok) throw new Error(answer.message)
  return answer.value
}

it('begins at the genesis of its network', () => {
  for (const network of ['simnet', 'devnet', 'mainnet', 'testnet-10'] as const) {
    const expected = genesis.rows.find((row) => row.network === (network === 'testnet-10' ? 'testnet' : network))
    expect(createLedger({ network }).truth.chain()).toEqual([expected?.hash])
  }
})

it('counts, pays and names its coinbases as a fresh real node does, block by block', () => {
  const ledger = createLedger()
  for (const { n, header, coinbase, utxos, ...state } of linearSteps) {
    const now = Number(header?.timestamp ?? 0)
    if (n > 0) ledger.mine({ now, address: ADDRESSES.A })
    const info = ask(ledger, 'getBlockDagInfo', {})
    expect(state).toMatchObject({
      virtualDaaScore: String(info.virtualDaaScore),
      pastMedianTime: String(info.pastMedianTime),
      difficulty: info.difficulty,
      blockCount: String(ask(ledger, 'getBlockCount', {}).blockCount),
      sinkBlueScore: String(ask(ledger, 'getSinkBlueScore', {}).blueScore),
      supply: String(ask(ledger, 'getCoinSupply', {}).circulatingSompi),
    })
    const { block } = ask(ledger, 'getBlock', { hash: info.sink, includeTransactions: true })
    if (header !== undefined)
      expect(header).toEqual({
        version: block.header.version,
        daaScore: String(block.header.daaScore),
        blueScore: String(block.header.blueScore),
        timestamp: String(block.header.timestamp),
        bits: block.header.bits,
      })
    if (coinbase !== undefined)
      expect(coinbase).toMatchObject({
        id: block.transactions[0]?.verboseData?.transactionId,
        hash: block.transactions[0]?.verboseData?.hash,
        payload: block.transactions[0]?.payload,
        outputs: block.transactions[0]?.outputs.map(({ value }) => String(value)),
      })
    const { entries } = ask(ledger, 'getUtxosByAddresses', { addresses: [ADDRESSES.A] })
    const scores = entries.map(({ outpoint, blockDaaScore }) => [outpoint.transactionId, String(blockDaaScore)])
    expect(new Map(scores as [string, string][])).toEqual(
      new Map(utxos?.map(({ transactionId: id, blockDaaScore }) => [id, blockDaaScore]) ?? []),
    )
  }
})

it('lets a balance move with the block that includes a payment, and tells of its acceptance one block later', () => {
  const [alice, bob] = [walletOf(0x33), walletOf(0x44)]
  const coins = coinsOf(alice.address, 1)
  const network = simnet(coins)
  mineOn(network, 3)
  const payment = alice.pay(coins, [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const id = transactionId(payment)
  expect(send(network, payment)).toEqual({ kind: 'admitted', id, replaced: undefined })
  expect(waiting(network)).toEqual([id])

  const including = mineOn(network)
  expect(waiting(network)).toEqual([])
  expect(told(including, 'utxos-changed')[0]?.added.map(({ outpoint }) => outpoint.transactionId)).toContain(id)
  expect(acceptedIn(including)).not.toContain(id)
  expect(network.state.coins.get({ transactionId: id, index: 0 })?.blockDaaScore).toBe(scoreOf(network))

  const accepting = mineOn(network)
  expect(told(accepting, 'utxos-changed')[0]?.added.map(({ outpoint }) => outpoint.transactionId)).not.toContain(id)
  expect(acceptedIn(accepting)).toContain(id)
  expect(network.state.sink.header.daaScore).toBe(
    network.state.coins.get({ transactionId: id, index: 0 })?.blockDaaScore,
  )
})

it('tells of each block in the order of a node', () => {
  const network = simnet()
  mineOn(network, 2)
  expect(mineOn(network).map(({ type }) => type)).toEqual([
    'block-added',
    'new-block-template',
    'sink-blue-score-changed',
    'virtual-daa-score-changed',
    'virtual-chain-changed',
    'utxos-changed',
  ])
})

it('gives the sender of a transaction only once a chain block has accepted it', () => {
  const alice = walletOf(0x33)
  const ledger = createLedger({ genesisCoins: [{ address: alice.address, amount: 10_000_000_000n }] })
  const [coin] = ledger.truth.utxos([alice.address])
  const payment = alice.pay([coin!], [{ to: walletOf(0x44).address, amount: 9_999_000_000n }])
  ask(ledger, 'submitTransaction', { transaction: payment, allowOrphan: false })
  const returnAddress = (acceptingBlockDaaScore: bigint) =>
    ledger.answer('getUtxoReturnAddress', { txid: transactionId(payment), acceptingBlockDaaScore }, 0)
  ledger.mine({ now: 0, count: 5 })
  const [paid] = ledger.truth.utxos([walletOf(0x44).address])
  expect(paid?.blockDaaScore).toBe(1n)
  expect(returnAddress(1n)).toEqual({ ok: true, value: { returnAddress: alice.address } })
  expect(returnAddress(2n)).toEqual({
    ok: false,
    message: `utxo inquirer error: Did not find queried transactions in acceptance data: [${transactionId(payment)}]`,
  })
  expect(returnAddress(9n)).toEqual({
    ok: false,
    message: 'utxo inquirer error: Transaction not found at given accepting daa score',
  })
})

const acceptedIn = (events: ReturnType<typeof mineOn>): readonly string[] =>
  told(events, 'virtual-chain-changed').flatMap(({ acceptedTransactionIds }) =>
    acceptedTransactionIds.flatMap((accepted) => accepted.acceptedTransactionIds),
  )
