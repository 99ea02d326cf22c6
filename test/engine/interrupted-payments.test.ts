import { filter, firstValueFrom, map, asyncScheduler } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createPlatform } from '../../src/platform/detect.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createTestPage, createTestWallets } from '../../src/testing/wallets/page.js'
import { eachFile } from '../lifetimes.js'

const KAS = 100_000_000n

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 6, balance: 0n }))
const sender = eachFile(() => createChainEngine({ network: 'simnet', url: devnode.urls.borsh }))
beforeAll(async () => {
  await Promise.all([sender.connection.connect(), sender.wasm.init()])
})

const addressOf = (index: number): string => devnode.accounts[index]?.address ?? ''

/** The engine of a page that was reloaded during a payment from account 0. */
function reloadedDuring(to: string, amount: bigint): ChainEngine {
  const { tabStorage } = createTestPlatform({ scheduler: asyncScheduler })
  const outputs = [{ address: to, amount: String(amount) }]
  const payment = { id: '1', wallet: 'walletA', from: addressOf(0), startedAt: Date.now(), outputs }
  tabStorage.set('vue-chain:wallet-payments', JSON.stringify({ payments: [payment] }))
  return createChainEngine({
    network: 'simnet',
    url: devnode.urls.borsh,
    ports: { platform: { ...createPlatform(), tabStorage }, wallets: createTestWallets(createTestPage()) },
  })
}

const whenListed = (engine: ChainEngine, count: number): Promise<number> =>
  firstValueFrom(
    engine.wallet.state$.pipe(
      map(({ interrupted }) => interrupted.length),
      filter((length) => length === count),
    ),
  )

describe('an interrupted payment', () => {
  it('ends when its recipient is credited', async () => {
    const engine = reloadedDuring(addressOf(1), 3n * KAS)
    await whenListed(engine, 1)
    await engine.connection.connect()
    await devnode.fund(addressOf(1), 2n * KAS)
    expect(engine.wallet.state.interrupted).toHaveLength(1)
    await devnode.fund(addressOf(1), 3n * KAS)
    await whenListed(engine, 0)
    await engine.dispose()
  })

  it('ends when the paying address is debited, before the transaction is accepted', async () => {
    await devnode.fund(addressOf(0), 50n * KAS)
    const state = await firstValueFrom(
      sender.utxos([addressOf(0)]).state$.pipe(filter(({ freshness }) => freshness === 'fresh')),
    )
    await sender.transactions.send({
      entries: state.matureEntries,
      outputs: [{ address: addressOf(2), amount: 5n * KAS }],
      changeAddress: addressOf(0),
      privateKeys: [devnode.accounts[0]?.privateKeyHex ?? ''],
    })
    const engine = reloadedDuring(addressOf(2), 5n * KAS)
    await whenListed(engine, 1)
    await engine.connection.connect()
    await whenListed(engine, 0)
    await engine.dispose()
  })
})
