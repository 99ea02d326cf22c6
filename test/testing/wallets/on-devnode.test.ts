import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryDevnode } from '../../../src/devnode/memory/create-memory-devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { ChainWalletError } from '../../../src/errors/wallet-error.js'
import { createFakeAnnouncedWallet } from '../../../src/testing/wallets/announced/fake.js'
import { createTestPage, createTestWallets } from '../../../src/testing/wallets/page.js'
import { createFakeWalletA } from '../../../src/testing/wallets/wallet-a/fake.js'
import { createFakeWalletB } from '../../../src/testing/wallets/wallet-b/fake.js'
import { eachTest } from '../../lifetimes.js'

const KAS = 100_000_000n

const ANNOUNCED = { id: 'announced:org.example.wallet', name: 'Example Wallet', icon: null, rdns: 'org.example.wallet' }

const WALLETS = [
  { name: 'KasWare', wallet: 'walletA', create: createFakeWalletA },
  { name: 'Kastle', wallet: 'walletB', create: createFakeWalletB },
  { name: 'an announced wallet', wallet: ANNOUNCED, create: createFakeAnnouncedWallet },
] as const

const devnode = eachTest(() => createMemoryDevnode({ blockInterval: 0, accounts: 5 }))

describe.each(WALLETS)('$name on a devnode', ({ wallet, create }) => {
  let engine: ChainEngine
  beforeEach(async () => {
    const page = createTestPage()
    create({ devnode, page, checkIn: 0 }).install()
    const { ports, ...options } = devnode.engineOptions
    engine = createChainEngine({ ...options, ports: { ...ports, wallets: createTestWallets(page) } })
    await engine.connection.connect()
    await engine.wallet.connect(wallet)
  })
  afterEach(() => engine.dispose())

  const statusOf = (transactionId: string) =>
    firstValueFrom(engine.transactionStatus$(transactionId).pipe(filter(({ status }) => status === 'accepted')))
  const balanceOf = async (index: number): Promise<bigint> =>
    (await engine.rpc.getBalanceByAddress(devnode.accounts[index]!.address)).balance

  it('is on its network, with the address of its first account', async () => {
    const { network, address } = await firstValueFrom(
      engine.wallet.state$.pipe(filter(({ address }) => address !== null)),
    )
    expect([network, address]).toEqual(['simnet', devnode.accounts[0]!.address])
  })

  it('pays: the node has the payment, and the chain accepts it', async () => {
    const transactionId = await engine.wallet.sendKaspa(devnode.accounts[4]!.address, 5n * KAS, { priorityFee: 7n })
    expect(devnode.expected.mempool()).toContain(transactionId)
    await devnode.mine(2)
    expect((await statusOf(transactionId)).status).toBe('accepted')
    expect(await balanceOf(4)).toBe(1_005n * KAS)
    expect(await balanceOf(0)).toBeLessThan(995n * KAS)
  })

  it('pays again from the change, with a payload', async () => {
    const to = devnode.accounts[4]!.address
    await engine.wallet.sendKaspa(to, 5n * KAS)
    await devnode.mine(2)
    const transactionId = await engine.wallet.sendKaspa(to, 5n * KAS, { payload: 'cafe' })
    await devnode.mine(2)
    await statusOf(transactionId)
    expect(await balanceOf(4)).toBe(1_010n * KAS)
  })

  it('rejects a payment above its balance, and reports what the node says of a rejected one', async () => {
    const { address } = devnode.accounts[4]!
    const failed = await engine.wallet.sendKaspa(address, 2_000n * KAS).catch((error: unknown) => error)
    expect((failed as ChainWalletError).operation).toMatch(/sendKaspa|buildTransaction/)
    devnode.faults.failCall({ method: 'submitTransaction', message: 'Rejected transaction: the mempool is full' })
    await expect(engine.wallet.sendKaspa(address, KAS)).rejects.toMatchObject({ outcome: 'unknown' })
    expect(devnode.expected.mempool()).toEqual([])
  })
})
