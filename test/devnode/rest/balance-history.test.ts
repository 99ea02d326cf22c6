import { describe, expect, it } from 'vitest'
import { FEE, walletOf } from '../ledger/wallet.js'
import { createLocalIndexer } from './local-indexer.js'

const HOUR = 3_600_000
const KAS = 100_000_000n
const [alice, bob] = [walletOf(1), walletOf(2)]

/** Alice has 50 KAS and pays bob 20 of them after two hours; then another hour passes. */
function createScenario() {
  const indexer = createLocalIndexer([{ address: alice.address, amount: 50n * KAS + FEE }])
  indexer.mine(2)
  indexer.advance(2 * HOUR)
  const utxos = indexer.ledger.expected.utxos([alice.address])
  const transaction = alice.pay(utxos, [
    { to: bob.address, amount: 20n * KAS },
    { to: alice.address, amount: 30n * KAS },
  ])
  indexer.ledger.call('submitTransaction', { transaction, allowOrphan: false }, 0)
  indexer.mine(3)
  indexer.advance(HOUR)
  return indexer
}

const historyOf = async (address: string, period: string) =>
  (await createScenario().read('GET', `/addresses/${address}/balance/${period}`)) as {
    timestamp: number
    amount: number
  }[]

describe('the balance history', () => {
  it('covers each hour from now back to the first block, newest first', async () => {
    const history = await historyOf(alice.address, '2026-11')
    expect(history.map(({ amount }) => amount)).toEqual([30, 30, 50, 50])
    expect(history.every(({ timestamp }) => timestamp % HOUR === 0)).toBe(true)
    expect(history.slice(1).map(({ timestamp }, at) => history[at]!.timestamp - timestamp)).toEqual([HOUR, HOUR, HOUR])
  })

  it('begins with 0 for an address without UTXOs', async () => {
    expect((await historyOf(bob.address, '2026-11-21')).map(({ amount }) => amount)).toEqual([20, 20, 0, 0])
  })

  it('is empty for another day, and for an address without a balance', async () => {
    expect(await historyOf(alice.address, '2026-11-20')).toEqual([])
    expect(await historyOf(walletOf(9).address, '2026-11')).toEqual([])
  })
})
