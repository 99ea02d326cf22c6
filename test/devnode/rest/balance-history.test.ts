import { describe, expect, it } from 'vitest'
import { FEE, walletOf } from '../ledger/wallet.js'
import { createLocalIndexer } from './local-indexer.js'

const HOUR = 3_600_000
const KAS = 100_000_000n
const [alice, bob] = [walletOf(1), walletOf(2)]

/** Alice holds 50 KAS, gives 20 of them to bob two hours later, and an hour passes after that. */
function createWorld() {
  const indexer = createLocalIndexer([{ address: alice.address, amount: 50n * KAS + FEE }])
  indexer.mine(2)
  indexer.pass(2 * HOUR)
  const coins = indexer.ledger.truth.utxos([alice.address])
  const transaction = alice.pay(coins, [
    { to: bob.address, amount: 20n * KAS },
    { to: alice.address, amount: 30n * KAS },
  ])
  indexer.ledger.answer('submitTransaction', { transaction, allowOrphan: false }, 0)
  indexer.mine(3)
  indexer.pass(HOUR)
  return indexer
}

const historyOf = async (address: string, period: string) =>
  (await createWorld().read('GET', `/addresses/${address}/balance/${period}`)) as {
    timestamp: number
    amount: number
  }[]

describe('what an address held, hour by hour', () => {
  it('is told from now back to the first block, newest first', async () => {
    const history = await historyOf(alice.address, '2026-11')
    expect(history.map(({ amount }) => amount)).toEqual([30, 30, 50, 50])
    expect(history.every(({ timestamp }) => timestamp % HOUR === 0)).toBe(true)
    expect(history.slice(1).map(({ timestamp }, at) => history[at]!.timestamp - timestamp)).toEqual([HOUR, HOUR, HOUR])
  })

  it('begins with nothing for whoever had nothing', async () => {
    expect((await historyOf(bob.address, '2026-11-21')).map(({ amount }) => amount)).toEqual([20, 20, 0, 0])
  })

  it('is empty for another day, and for whoever holds nothing now', async () => {
    expect(await historyOf(alice.address, '2026-11-20')).toEqual([])
    expect(await historyOf(walletOf(9).address, '2026-11')).toEqual([])
  })
})
