import { expect, it } from 'vitest'
import { createLedger, type Ledger, type LedgerMethod } from '../../../src/devnode/ledger/ledger.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import genesis from '../../fixtures/consensus/genesis.json'
import { ADDRESSES, recorded } from './recorded.js'
import { utxosOf, FEE, send, walletOf } from './wallet.js'
import { mineOn, scoreOf, simnet, notificationsOf, mempoolIds } from './simnet.js'

/** Recorded state of a fresh node after each of its first blocks. */
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

/** The response of a call; throws if it failed. */
function call<M extends LedgerMethod>(ledger: Ledger, method: M, request: RpcRequest<M>): RpcResponse<M> {
  const result = ledger.call(method, request, 0)
  if (!result.ok) throw new Error(result.message)
  return result.value
}

it('starts at the genesis of its network', () => {
  for (const network of ['simnet', 'devnet', 'mainnet', 'testnet-10'] as const) {
    const expected = genesis.rows.find((row) => row.network === (network === 'testnet-10' ? 'testnet' : network))
    expect(createLedger({ network }).expected.chain()).toEqual([expected?.hash])
  }
})

it('equals a real node block by block in scores, supply, headers and coinbases', () => {
  const ledger = createLedger()
  for (const { n, header, coinbase, utxos, ...state } of linearSteps) {
    const now = Number(header?.timestamp ?? 0)
    if (n > 0) ledger.mine({ now, address: ADDRESSES.A })
    const info = call(ledger, 'getBlockDagInfo', {})
    expect(state).toMatchObject({
      virtualDaaScore: String(info.virtualDaaScore),
      pastMedianTime: String(info.pastMedianTime),
      difficulty: info.difficulty,
      blockCount: String(call(ledger, 'getBlockCount', {}).blockCount),
      sinkBlueScore: String(call(ledger, 'getSinkBlueScore', {}).blueScore),
      supply: String(call(ledger, 'getCoinSupply', {}).circulatingSompi),
    })
    const { block } = call(ledger, 'getBlock', { hash: info.sink, includeTransactions: true })
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
    const { entries } = call(ledger, 'getUtxosByAddresses', { addresses: [ADDRESSES.A] })
    const scores = entries.map(({ outpoint, blockDaaScore }) => [outpoint.transactionId, String(blockDaaScore)])
    expect(new Map(scores as [string, string][])).toEqual(
      new Map(utxos?.map(({ transactionId: id, blockDaaScore }) => [id, blockDaaScore]) ?? []),
    )
  }
})

it('changes UTXOs with the block that includes a payment, and reports its acceptance one block later', () => {
  const [alice, bob] = [walletOf(0x33), walletOf(0x44)]
  const utxos = utxosOf(alice.address, 1)
  const network = simnet(utxos)
  mineOn(network, 3)
  const payment = alice.pay(utxos, [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const id = transactionId(payment)
  expect(send(network, payment)).toEqual({ kind: 'admitted', id, replaced: undefined })
  expect(mempoolIds(network)).toEqual([id])

  const including = mineOn(network)
  expect(mempoolIds(network)).toEqual([])
  expect(notificationsOf(including, 'utxos-changed')[0]?.added.map(({ outpoint }) => outpoint.transactionId)).toContain(
    id,
  )
  expect(acceptedIdsOf(including)).not.toContain(id)
  expect(network.state.utxos.get({ transactionId: id, index: 0 })?.blockDaaScore).toBe(scoreOf(network))

  const accepting = mineOn(network)
  expect(
    notificationsOf(accepting, 'utxos-changed')[0]?.added.map(({ outpoint }) => outpoint.transactionId),
  ).not.toContain(id)
  expect(acceptedIdsOf(accepting)).toContain(id)
  expect(network.state.sink.header.daaScore).toBe(
    network.state.utxos.get({ transactionId: id, index: 0 })?.blockDaaScore,
  )
})

it('emits the notifications of a block in the order of a node', () => {
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

it('returns the sender of a transaction by the DAA score of its accepting block', () => {
  const alice = walletOf(0x33)
  const ledger = createLedger({ genesisUtxos: [{ address: alice.address, amount: 10_000_000_000n }] })
  const [utxo] = ledger.expected.utxos([alice.address])
  const payment = alice.pay([utxo!], [{ to: walletOf(0x44).address, amount: 9_999_000_000n }])
  call(ledger, 'submitTransaction', { transaction: payment, allowOrphan: false })
  const returnAddress = (acceptingBlockDaaScore: bigint) =>
    ledger.call('getUtxoReturnAddress', { txid: transactionId(payment), acceptingBlockDaaScore }, 0)
  ledger.mine({ now: 0, count: 5 })
  const [paid] = ledger.expected.utxos([walletOf(0x44).address])
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

const acceptedIdsOf = (events: ReturnType<typeof mineOn>): readonly string[] =>
  notificationsOf(events, 'virtual-chain-changed').flatMap(({ acceptedTransactionIds }) =>
    acceptedTransactionIds.flatMap((accepted) => accepted.acceptedTransactionIds),
  )
