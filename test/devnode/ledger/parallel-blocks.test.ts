import { describe, expect, it } from 'vitest'
import { transactionId } from '../../../src/model/transaction-id.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { answerQuery } from '../../../src/devnode/ledger/queries/queries.js'
import { Templates } from '../../../src/devnode/ledger/steps/template.js'
import type { Network } from '../../../src/devnode/ledger/network.js'
import { recorded } from './recorded.js'
import { coinsOf, FEE, send, walletOf } from './wallet.js'
import { chainOf, MINER, mineOn, mineParallel, receive, scoreOf, simnet, told } from './world.js'

const [alice, bob, dave] = [walletOf(0x33), walletOf(0x44), walletOf(0x77)]
const SUBSIDY = 5_000_000_000n

const scope = (network: Network) => ({
  network,
  templates: new Templates(),
  nodeVersion: '2.1.0',
  rpcMode: 'safe' as const,
  now: 0,
})

/** Two networks that know the same and do not know each other. */
function twoNodes(coins = coinsOf(alice.address, 3)): { readonly here: Network; readonly there: Network } {
  const [here, there] = [simnet(coins), simnet(coins)]
  mineOn(here, 64)
  for (const block of chainOf(here)) receive(there, block)
  return { here, there }
}

describe('two blocks side by side with the same transaction', () => {
  const { here, there } = twoNodes()
  const payment = alice.pay(coinsOf(alice.address, 1), [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const outpoint = { transactionId: transactionId(payment), index: 0 }
  const scores = (): bigint | undefined => here.state.coins.get(outpoint)?.blockDaaScore
  send(here, payment)
  send(there, payment)
  const first = mineOn(here)
  mineOn(there, 1, dave.address)
  const beside = told(receive(here, chainOf(there).at(-1)!), 'utxos-changed')
  const merging = mineOn(here)
  const after = mineOn(here)

  it('raise the score of a coin that only virtual has accepted: it is told as removed and added', () => {
    expect(told(first, 'utxos-changed')[0]?.added.map(({ blockDaaScore }) => blockDaaScore)).toContain(65n)
    const pick = (
      entries: readonly { readonly outpoint: { transactionId: string }; readonly blockDaaScore: bigint }[],
    ) =>
      entries.flatMap((entry) => (entry.outpoint.transactionId === outpoint.transactionId ? [entry.blockDaaScore] : []))
    expect(pick(beside[0]?.removed ?? [])).toEqual([65n])
    expect(pick(beside[0]?.added ?? [])).toEqual([66n])
  })

  it('are merged by the next block, which accepts the transaction once', () => {
    const [change] = told(merging, 'virtual-chain-changed')
    const ids = change?.acceptedTransactionIds[0]?.acceptedTransactionIds ?? []
    expect(ids).toHaveLength(2)
    expect(ids.filter((id) => id === outpoint.transactionId)).toHaveLength(1)
    expect(scores()).toBe(66n)
    expect(scoreOf(here)).toBe(68n)
  })

  it('pay both miners, and the fee to the one whose block came first in order', () => {
    const [coinbase] = chainOf(here).at(-2)!.transactions
    const paid = coinbase?.transaction.outputs ?? []
    expect(paid.map(({ value }) => value).sort()).toEqual([SUBSIDY, SUBSIDY + FEE])
    expect(new Set(paid.map(({ scriptPublicKey }) => scriptPublicKey.script))).toEqual(
      new Set([MINER, dave].map(({ address }) => toScriptPublicKey(address).script)),
    )
  })

  it('leave one of them off the chain: no chain block is told removed', () => {
    const [change] = told(after, 'virtual-chain-changed')
    expect(change?.removedChainBlockHashes).toEqual([])
    expect(here.state.dag.tips()).toHaveLength(1)
  })
})

it('tells an empty chain change for a block that moves only virtual', () => {
  const network = simnet()
  mineOn(network, 3)
  const [change, none] = told(mineParallel(network, 2), 'virtual-chain-changed')
  expect(change?.addedChainBlockHashes).toHaveLength(1)
  const moved = (none?.addedChainBlockHashes.length ?? 0) + (none?.removedChainBlockHashes.length ?? 0)
  expect([0, 2]).toContain(moved)
})

describe('a block whose parents lie 130 blocks back', () => {
  const { here, there } = twoNodes()
  const [first, second] = coinsOf(alice.address, 2)
  const own = alice.pay([first!], [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const lost = alice.pay([second!], [{ to: bob.address, amount: 10_000_000_000n - FEE }])
  const rival = alice.pay([second!], [{ to: dave.address, amount: 10_000_000_000n - FEE }])
  send(here, rival)
  mineOn(here, 130)
  send(there, own)
  send(there, lost)
  mineOn(there, 1, dave.address)
  const side = chainOf(there).at(-1)!
  receive(here, side)
  const before = answerQuery(scope(here), 'getCurrentBlockColor', { hash: side.hash })
  const merging = mineOn(here)

  it('has no colour until a chain block merges it, and is red then', () => {
    expect(before).toEqual({ ok: false, message: `Block ${side.hash} doesn't have any merger block.` })
    expect(answerQuery(scope(here), 'getCurrentBlockColor', { hash: side.hash })).toEqual({
      ok: true,
      value: { blue: false },
    })
    expect(chainOf(here).at(-1)?.context.ghostdag.reds).toEqual([side.hash])
  })

  it('has its good transactions accepted all the same, its conflicting one not', () => {
    const accepted = told(merging, 'virtual-chain-changed')[0]?.acceptedTransactionIds[0]?.acceptedTransactionIds
    expect(accepted).toContain(transactionId(own))
    expect(accepted).not.toContain(transactionId(lost))
  })

  it('is paid to the miner of the merging block, subsidy and fee', () => {
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

  it('is told of as red, without a reward', () => {
    const answer = answerQuery(scope(here), 'getBlockRewardInfo', { hash: side.hash })
    expect(answer).toMatchObject({
      ok: true,
      value: { blockColor: 'red', confirmationCount: 0n, mergingChainBlockHash: here.state.chain.sink },
    })
    expect(answer).not.toHaveProperty('value.rewardAmount')
  })

  it('keeps its lost transaction out for as long as the included are remembered', () => {
    const id = transactionId(lost)
    expect(send(here, lost)).toEqual({
      kind: 'refused',
      message: `Rejected transaction ${id}: transaction ${id} was already accepted by the consensus`,
    })
  })
})
