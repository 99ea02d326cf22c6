import { describe, expect, it } from 'vitest'
import { transactionId } from '../../../src/model/transaction-id.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { runQuery } from '../../../src/devnode/ledger/queries/queries.js'
import { Templates } from '../../../src/devnode/ledger/steps/mine.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { recorded } from './recorded.js'
import { utxosOf, FEE, send, walletOf } from './wallet.js'
import { chainOf, MINER, mineOn, mineParallel, receive, scoreOf, simnet, notificationsOf } from './simnet.js'

const [alice, bob, dave] = [walletOf(0x33), walletOf(0x44), walletOf(0x77)]
const SUBSIDY = 5_000_000_000n

const scope = (network: Network) => ({
  network,
  templates: new Templates(),
  nodeVersion: '2.1.0',
  rpcMode: 'safe' as const,
  now: 0,
})

/** Two independent networks with equal blocks. */
function twoNodes(utxos = utxosOf(alice.address, 3)): { readonly here: Network; readonly there: Network } {
  const [here, there] = [simnet(utxos), simnet(utxos)]
  mineOn(here, 64)
  for (const block of chainOf(here)) receive(there, block)
  return { here, there }
}

describe('two parallel blocks with the same transaction', () => {
  const { here, there } = twoNodes()
  const payment = alice.pay(utxosOf(alice.address, 1), [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const outpoint = { transactionId: transactionId(payment), index: 0 }
  const scores = (): bigint | undefined => here.state.utxos.get(outpoint)?.blockDaaScore
  send(here, payment)
  send(there, payment)
  const first = mineOn(here)
  mineOn(there, 1, dave.address)
  const parallel = notificationsOf(receive(here, chainOf(there).at(-1)!), 'utxos-changed')
  const merging = mineOn(here)
  const after = mineOn(here)

  it('raise the score of a UTXO accepted by virtual only: it is notified as removed and added', () => {
    expect(notificationsOf(first, 'utxos-changed')[0]?.added.map(({ blockDaaScore }) => blockDaaScore)).toContain(65n)
    const pick = (
      entries: readonly { readonly outpoint: { transactionId: string }; readonly blockDaaScore: bigint }[],
    ) =>
      entries.flatMap((entry) => (entry.outpoint.transactionId === outpoint.transactionId ? [entry.blockDaaScore] : []))
    expect(pick(parallel[0]?.removed ?? [])).toEqual([65n])
    expect(pick(parallel[0]?.added ?? [])).toEqual([66n])
  })

  it('are merged by the next block, which accepts the transaction once', () => {
    const [change] = notificationsOf(merging, 'virtual-chain-changed')
    const ids = change?.acceptedTransactionIds[0]?.acceptedTransactionIds ?? []
    expect(ids).toHaveLength(2)
    expect(ids.filter((id) => id === outpoint.transactionId)).toHaveLength(1)
    expect(scores()).toBe(66n)
    expect(scoreOf(here)).toBe(68n)
  })

  it('pay both miners, and the fee to the miner of the first block in consensus order', () => {
    const [coinbase] = chainOf(here).at(-2)!.transactions
    const paid = coinbase?.transaction.outputs ?? []
    expect(paid.map(({ value }) => value).sort()).toEqual([SUBSIDY, SUBSIDY + FEE])
    expect(new Set(paid.map(({ scriptPublicKey }) => scriptPublicKey.script))).toEqual(
      new Set([MINER, dave].map(({ address }) => toScriptPublicKey(address).script)),
    )
  })

  it('leave one off-chain, without a removed chain block', () => {
    const [change] = notificationsOf(after, 'virtual-chain-changed')
    expect(change?.removedChainBlockHashes).toEqual([])
    expect(here.state.dag.tips()).toHaveLength(1)
  })
})

it('emits an empty chain change for a block that changes virtual only', () => {
  const network = simnet()
  mineOn(network, 3)
  const [change, none] = notificationsOf(mineParallel(network, 2), 'virtual-chain-changed')
  expect(change?.addedChainBlockHashes).toHaveLength(1)
  const moved = (none?.addedChainBlockHashes.length ?? 0) + (none?.removedChainBlockHashes.length ?? 0)
  expect([0, 2]).toContain(moved)
})

describe('a block with parents 130 blocks below the sink', () => {
  const { here, there } = twoNodes()
  const [first, second] = utxosOf(alice.address, 2)
  const own = alice.pay([first!], [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const loser = alice.pay([second!], [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const winner = alice.pay([second!], [{ to: dave.address, amount: 10_000_000_000n - FEE }])
  send(here, winner)
  mineOn(here, 130)
  send(there, own)
  send(there, loser)
  mineOn(there, 1, dave.address)
  const side = chainOf(there).at(-1)!
  receive(here, side)
  const before = runQuery(scope(here), 'getCurrentBlockColor', { hash: side.hash })
  const merging = mineOn(here)

  it('has no colour until a chain block merges it as red', () => {
    expect(before).toEqual({ ok: false, message: `Block ${side.hash} doesn't have any merger block.` })
    expect(runQuery(scope(here), 'getCurrentBlockColor', { hash: side.hash })).toEqual({
      ok: true,
      value: { blue: false },
    })
    expect(chainOf(here).at(-1)?.context.ghostdag.reds).toEqual([side.hash])
  })

  it('has its valid transactions accepted, without the double spend', () => {
    const accepted = notificationsOf(merging, 'virtual-chain-changed')[0]?.acceptedTransactionIds[0]
      ?.acceptedTransactionIds
    expect(accepted).toContain(transactionId(own))
    expect(accepted).not.toContain(transactionId(loser))
  })

  it('pays subsidy and fee to the miner of the merging block', () => {
    const [coinbase] = chainOf(here).at(-1)!.transactions
    const { script } = toScriptPublicKey(MINER.address)
    expect(coinbase?.transaction.outputs.map(({ value, scriptPublicKey }) => [value, scriptPublicKey.script])).toEqual([
      [SUBSIDY, script],
      [SUBSIDY + FEE, script],
    ])
  })

  it('counts for the DAA score and not for the blue score', () => {
    const { header } = chainOf(here).at(-1)!
    expect([header.blueScore, header.daaScore]).toEqual([195n, 195n])
    const recordedHeader = recorded('red-block').mergingBlock as { daaScore: string; blueScore: string }
    expect(recordedHeader.daaScore).toBe(recordedHeader.blueScore)
  })

  it('is reported as red, without a reward', () => {
    const result = runQuery(scope(here), 'getBlockRewardInfo', { hash: side.hash })
    expect(result).toMatchObject({
      ok: true,
      value: { blockColor: 'red', confirmationCount: 0n, mergingChainBlockHash: here.state.chain.sink },
    })
    expect(result).not.toHaveProperty('value.rewardAmount')
  })

  it('has its double spend rejected as already accepted', () => {
    const id = transactionId(loser)
    expect(send(here, loser)).toEqual({
      kind: 'rejected',
      message: `Rejected transaction ${id}: transaction ${id} was already accepted by the consensus`,
    })
  })
})
