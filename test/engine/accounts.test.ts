import { filter, firstValueFrom, of } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { SignatureRequest } from '../../src/sdk/port.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import type { Account, ScanOptions } from '../../src/streams/accounts/accounts.js'
import { createScriptedNode } from '../../src/testing/scripted-node.js'
import { eachFile } from '../lifetimes.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }

const KAS = 100_000_000n
/** One account per test: used addresses stay used. */
const [first, second, third, fourth, fifth, sixth] = vectors.map(({ kpub }) => kpub) as [
  string,
  string,
  string,
  string,
  string,
  string,
]

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 1, balance: 0n }))
const engine = eachFile(() => createEngine())
beforeAll(async () => {
  await engine.connection.connect()
})

const createEngine = (options: ChainEngineOptions = {}): ChainEngine =>
  createChainEngine({ network: 'simnet', url: devnode.urls.borsh, restUrl: devnode.urls.rest, ...options })

const addressesOf = (account: Account): Promise<readonly string[]> => firstValueFrom(account.addresses$)
const indexes = (found: readonly { readonly index: number }[]): number[] => found.map(({ index }) => index)

describe('an account of an extended public key', () => {
  it('finds used addresses, those that were emptied by the history of the indexer', async () => {
    const { address } = devnode.accounts[0]! // of the first mnemonic, spent below
    const account = await engine.accounts.fromExtendedPublicKey(first)
    expect(account.address(0)).toBe(address)
    await engine.wasm.init()
    await devnode.fund(account.address(0), 10n * KAS)
    await devnode.fund(account.address(7), 2n * KAS)
    await devnode.fund(account.address(3, { change: true }), 2n * KAS)
    await emptyFirstAddress(account)
    expect(await account.scan()).toEqual({
      receive: [0, 7].map((index) => ({ address: account.address(index), index })),
      change: [{ address: account.address(3, { change: true }), index: 3 }],
      basis: 'history',
    })
    const { receive, basis } = await account.scan({ history: false })
    expect([indexes(receive), basis]).toEqual([[7], 'utxos'])
  })

  it('gives a signer the derivation paths of the addresses that it follows', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(sixth, { startIndex: 4 })
    const [receive, change] = [await account.next(), await account.next({ change: true })]
    for (const { address } of [receive, change]) await devnode.fund(address, 10n * KAS)
    await devnode.mine()
    const requests: SignatureRequest[] = []
    const sent = engine.transactions.sweep({
      entries: await engine.rpc.getUtxosByAddresses([receive.address, change.address]),
      to: receive.address,
      signer: {
        sign: (given) => {
          requests.push(...given)
          throw new Error('The device is locked')
        },
      },
    })
    await expect(sent).rejects.toMatchObject({ code: 'failed' })
    expect(Object.fromEntries(requests.map(({ address, keyPath }) => [address, keyPath]))).toEqual({
      [receive.address]: "m/44'/111111'/1'/0/4",
      [change.address]: "m/44'/111111'/1'/1/4",
    })
  })

  /** Sends everything of the first receive address to address 7 of the account. */
  async function emptyFirstAddress(account: Account): Promise<void> {
    const { address, privateKeyHex } = devnode.accounts[0]!
    const entries = await engine.rpc.getUtxosByAddresses([address])
    await engine.transactions.sweep({ entries, to: account.address(7), privateKeys: [privateKeyHex] })
    await devnode.mine(2)
    await expect.poll(async () => (await engine.rpc.getBalanceByAddress(address)).balance).toBe(0n)
  }

  it('scans by UTXOs where the indexer is not available', async () => {
    const offline = createEngine({ restUrl: 'http://127.0.0.1:1', rest: { retries: 0 } })
    await offline.connection.connect()
    const account = await offline.accounts.fromExtendedPublicKey(second)
    await devnode.fund(account.address(2), KAS)
    expect(await account.scan()).toMatchObject({ receive: [{ index: 2 }], change: [], basis: 'utxos' })
    expect(await account.next()).toEqual({ address: account.address(3), index: 3 })
    await offline.dispose()
  })

  it('returns each address once, also by several objects of one key, and follows what it returned', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(third, { startIndex: 812 })
    const same = await engine.accounts.fromExtendedPublicKey(vectors[2]!.xpub, { startIndex: 812 })
    const issued = await Promise.all([account.next(), same.next(), account.next(), account.next({ change: true })])
    expect(indexes(issued)).toEqual([812, 813, 814, 812])
    expect(issued[3].address).toBe(account.address(812, { change: true }))
    const followed = await addressesOf(account)
    expect(followed).toContain(account.address(812))
    expect(followed).toContain(account.address(834)) // the gap behind 814
    expect(followed).not.toContain(account.address(811))
    expect(followed.filter(account.isChange)).toHaveLength(21)
  })

  it('rejects `next` before it is scanned or started', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(fourth)
    await expect(account.next()).rejects.toMatchObject({
      code: 'account-not-scanned',
      message: 'The next unused address is not known yet: the account was not scanned',
      hint: 'Await account.scan(), or create the account with startIndex.',
    })
  })

  it('is followed by a UTXO tracker, and grows with payments to unused addresses', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(fourth)
    await account.scan({ gapLimit: 5 })
    const tracker = engine.utxos(account)
    const states: { addresses: readonly string[]; total: bigint }[] = []
    const subscription = tracker.state$
      .pipe(filter(({ freshness }) => freshness === 'fresh'))
      .subscribe(({ addresses, balance }) => states.push({ addresses, total: balance.mature }))
    await expect.poll(() => states.at(-1)?.addresses).toHaveLength(10)
    await devnode.fund(account.address(4), KAS)
    await expect.poll(() => states.at(-1)).toMatchObject({ total: KAS, addresses: { length: 15 } })
    await devnode.fund(account.address(9), KAS) // beyond the first gap
    // one gap further
    await expect.poll(() => states.at(-1)).toMatchObject({ total: 2n * KAS, addresses: { length: 15 } })
    await devnode.mine(11)
    await expect.poll(() => states.at(-1)).toMatchObject({ addresses: { length: 20 } })
    expect(await account.next()).toMatchObject({ index: 10 })
    subscription.unsubscribe()
  })

  it('needs no WASM', async () => {
    const withoutSdk = createEngine({ sdk: () => Promise.reject(new Error('The SDK must not be loaded')) })
    const account = await withoutSdk.accounts.fromExtendedPublicKey(fifth)
    await withoutSdk.connection.connect()
    expect(await account.scan()).toMatchObject({ receive: [], change: [] })
    await withoutSdk.dispose()
  })

  it('S4 returns addresses within the gap that other wallets look for, which a payment moves once it is 10 blue scores deep', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(fifth)
    await account.scan({ gapLimit: 3 })
    const subscription = engine.utxos(account).state$.subscribe()
    const withinGap = { withinGap: true } as const
    const issued = [await account.next(withinGap), await account.next(withinGap), await account.next(withinGap)]
    expect(indexes(issued)).toEqual([0, 1, 2])
    await expect(account.next(withinGap)).rejects.toMatchObject({
      code: 'limit-exceeded',
      argument: 'withinGap',
      message: 'The next address is 3 or more beyond the last used one',
    })
    const followed: number[] = []
    subscription.add(account.addresses$.subscribe((addresses) => followed.push(addresses.length)))
    const before = followed.at(-1)!
    await devnode.fund(account.address(5), KAS)
    await expect.poll(() => followed.at(-1)).toBe(before + 3) // it has seen the UTXO
    const [entry] = await engine.rpc.getUtxosByAddresses([account.address(5)])
    const depths: number[] = []
    subscription.add(
      engine
        .transactionStatus$(entry!.outpoint.transactionId, { confirmations: 20 })
        .pipe(filter(({ status }) => status === 'accepted'))
        .subscribe(({ confirmations }) => depths.push(confirmations)),
    )
    await devnode.mine(1) // its chain block accepts the payment
    await expect.poll(() => depths.length).toBeGreaterThan(0)
    for (let depth = depths.at(-1)!; depth < 9; depth = depths.at(-1)!) {
      await devnode.mine(1)
      await expect.poll(() => depths.at(-1)).toBeGreaterThan(depth)
    }
    expect(depths.at(-1)).toBe(9)
    await expect(account.next(withinGap)).rejects.toMatchObject({ code: 'limit-exceeded' }) // a reorg may undo it
    await devnode.mine(1)
    await expect.poll(() => account.next(withinGap).catch(() => null)).toMatchObject({ index: 6 })
    expect(await account.next()).toMatchObject({ index: 7 }) // without limit
    expect(await account.next()).toMatchObject({ index: 8 })
    await expect(account.next({ withinGap: 'yes' as unknown as boolean })).rejects.toMatchObject({
      argument: 'withinGap',
    })
    subscription.unsubscribe()
  })
})

describe('an account with a hostile node', () => {
  it('ends a scan of an account where every address has a balance', async () => {
    const node = createScriptedNode()
    node.respond('getBalancesByAddresses', ({ addresses }) =>
      of({ entries: addresses.map((address) => ({ address, balance: 1n })) }),
    )
    const hostile = createChainEngine({ network: 'simnet', url: 'ws://127.0.0.1:1', ports: { node } })
    await hostile.connection.connect()
    const account = await hostile.accounts.fromExtendedPublicKey(first)
    await expect(account.scan({ maxAddresses: 60, history: false })).rejects.toMatchObject({ code: 'limit-exceeded' })
    await expect(account.next()).rejects.toMatchObject({ code: 'account-not-scanned' })
    await hostile.dispose()
  })
})

describe('arguments of an account', () => {
  it.each<[ScanOptions, string]>([
    [{ gapLimit: 0 }, 'gapLimit'],
    [{ gapLimit: 1.5 }, 'gapLimit'],
    [{ gapLimit: 1001 }, 'gapLimit'],
    [{ maxAddresses: 19 }, 'maxAddresses'],
    [{ history: 1 as unknown as boolean }, 'history'],
    [{ gaplimit: 20 } as object, 'gaplimit'],
  ])('scan(%o) is refused', async (options, argument) => {
    const account = await engine.accounts.fromExtendedPublicKey(first)
    await expect(account.scan(options)).rejects.toMatchObject({ code: 'invalid-argument', argument })
  })

  it('indexes are whole numbers below 2^31, and unknown options are refused', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(first)
    for (const index of [-1, 0.5, 2 ** 31, Number.NaN]) {
      expect(() => account.address(index)).toThrow(expect.objectContaining({ argument: 'index' }))
      await expect(engine.accounts.fromExtendedPublicKey(first, { startIndex: index })).rejects.toMatchObject({
        code: 'invalid-argument',
        argument: 'startIndex',
      })
    }
    expect(() => account.address(0, { isChange: true } as object)).toThrow('"isChange" is unknown')
    await expect(account.next({ index: 1 } as object)).rejects.toMatchObject({ argument: 'index' })
  })

  it('a scan is aborted by its signal', async () => {
    const account = await engine.accounts.fromExtendedPublicKey(first)
    await expect(account.scan({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
  })

  it('a scan on another network is refused', async () => {
    const moving = createEngine({ network: 'testnet-10', autoConnect: false })
    const account = await moving.accounts.fromExtendedPublicKey(first)
    await moving.switchNetwork('testnet-12', { url: devnode.urls.borsh })
    await expect(account.scan()).rejects.toMatchObject({
      code: 'invalid-argument',
      message: "The account is of testnet-10, and the engine's network is testnet-12",
    })
    await moving.dispose()
  })
})
