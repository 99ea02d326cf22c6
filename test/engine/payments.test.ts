import { filter, firstValueFrom, lastValueFrom, tap } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { UtxoState } from '../../src/streams/utxos/state.js'

const KAS = 100_000_000n

let devnode: Devnode
let engine: ChainEngine
let next = 0

beforeAll(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 12, balance: 0n })
  engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
})

afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

/** Somebody with one coin of 50 KAS whom no other test uses. */
async function somebody(): Promise<DevnodeAccount> {
  const account = devnode.accounts[next++]
  if (account === undefined) throw new Error('Make more accounts')
  await devnode.fund(account.address, 50n * KAS)
  return account
}

/** What an address has, once it is known. */
const known = (address: string): Promise<UtxoState> =>
  firstValueFrom(engine.utxos([address]).state$.pipe(filter(({ freshness }) => freshness === 'fresh')))

function payment(from: DevnodeAccount, entries: readonly UtxoEntry[], amount = KAS) {
  return {
    entries,
    outputs: [{ address: devnode.accounts.at(-1)?.address ?? '', amount }],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  }
}

describe('a payment through the engine', () => {
  it('is followed from the mempool to its acceptance', async () => {
    const from = await somebody()
    const { transactionIds } = await engine.transactions.send(payment(from, (await known(from.address)).matureEntries))
    const statuses: string[] = []
    const status$ = engine.transactionStatus$(transactionIds[0] ?? '', { confirmations: 3 })
    const followed = lastValueFrom(status$.pipe(tap(({ status }) => statuses.push(status))))
    await expect.poll(() => statuses.at(-1)).toBe('mempool')
    await devnode.mine(6)
    await followed
    expect([...new Set(statuses)].filter((status) => status !== 'unknown')).toEqual(['mempool', 'accepted'])
  })

  it('takes its coins out of what is offered, and out of what a second one picks', async () => {
    const from = await somebody()
    await devnode.fund(from.address, 20n * KAS)
    const ledger = engine.utxos([from.address])
    const offers: number[] = []
    const watching = ledger.state$.subscribe(({ matureEntries }) => offers.push(matureEntries.length))
    await expect.poll(() => offers.at(-1)).toBe(2)
    const { entries } = await known(from.address)
    const [first, second] = await Promise.all([
      engine.transactions.send(payment(from, entries)),
      engine.transactions.send(payment(from, entries)),
    ])
    expect(first.transactionIds).not.toEqual(second.transactionIds)
    await expect.poll(() => offers.at(-1)).toBe(0)
    await expect(engine.transactions.send(payment(from, entries))).rejects.toMatchObject({
      code: 'insufficient-funds',
      reserved: 70n * KAS,
    })
    await devnode.mine(2)
    await expect.poll(() => offers.at(-1)).toBe(2) // the change of both
    watching.unsubscribe()
  })

  it('gives its coins back at once where the node refuses it', async () => {
    const from = await somebody()
    const { entries } = await known(from.address)
    devnode.faults.failCall({
      method: 'submitTransaction',
      message: `Rejected transaction ${'ab'.repeat(32)}: transaction ${'ab'.repeat(32)} is an orphan where orphan is disallowed`,
    })
    await expect(engine.transactions.send(payment(from, entries))).rejects.toMatchObject({ reason: 'orphan' })
    expect((await engine.transactions.send(payment(from, entries))).transactionIds).toHaveLength(1)
  })

  it('ends as rejected where another has spent its coin', async () => {
    const from = await somebody()
    const { entries } = await known(from.address)
    const [pending] = (await engine.transactions.create(payment(from, entries, 2n * KAS))).transactions
    if (pending === undefined) throw new Error('there is one')
    pending.sign([from.privateKeyHex])
    await engine.transactions.send(payment(from, entries))
    const fate = lastValueFrom(engine.transactionStatus$(pending.id))
    await expect(pending.submit()).rejects.toMatchObject({ reason: 'double-spend' })
    expect(await fate).toMatchObject({ status: 'rejected', error: { reason: 'double-spend' } })
  })

  it('whose answer is lost has gone through once', async () => {
    const from = await somebody()
    const hasty = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, requestTimeout: 2_000 })
    await Promise.all([hasty.connection.connect(), hasty.wasm.init()])
    devnode.faults.loseReply({ method: 'submitTransaction' })
    const { entries } = await known(from.address)
    const { transactionIds } = await hasty.transactions.send(payment(from, entries))
    expect(await isWaiting(transactionIds[0])).toBe(true)
    await hasty.dispose()
  })

  it('is told at once, id and all, where its engine ends before it is known', async () => {
    const from = await somebody()
    const brief = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await Promise.all([brief.connection.connect(), brief.wasm.init()])
    const { entries } = await known(from.address)
    const [sent] = (await brief.transactions.create(payment(from, entries))).transactions
    if (sent === undefined) throw new Error('there is one')
    sent.sign([from.privateKeyHex])
    devnode.faults.loseReply({ method: 'submitTransaction' })
    const outcomes: unknown[] = []
    sent.submit().catch((error: unknown) => outcomes.push(error))
    await expect.poll(() => isWaiting(sent.id)).toBe(true)
    await brief.dispose()
    await expect.poll(() => outcomes).toMatchObject([{ code: 'connection-lost', transactionId: sent.id }])
  })
})

describe('a payment that takes the place of another', () => {
  it('ends the other as replaced, and is accepted in its stead', async () => {
    const from = await somebody()
    const to = await somebody()
    const { entries } = await known(from.address)
    const first = await engine.transactions.send(payment(from, entries))
    const fate = lastValueFrom(engine.transactionStatus$(first.transactionIds[0] ?? ''))
    const second = await engine.transactions.send({
      ...payment(from, entries),
      outputs: [{ address: to.address, amount: 7n * KAS }],
      replaces: first.transactionIds[0],
    })
    expect(await fate).toMatchObject({
      status: 'replaced',
      error: { message: expect.stringContaining(second.transactionIds[0] ?? '') as string },
    })
    await devnode.mine(2)
    expect((await known(to.address)).balance.mature).toBe(57n * KAS)
  })

  it('finds the coins of the other in the ledger, though they are taken', async () => {
    const from = await somebody()
    const { entries } = await known(from.address)
    const { transactionIds } = await engine.transactions.send(payment(from, entries))
    const now = await known(from.address)
    expect([now.matureEntries.length, now.entries.length]).toEqual([0, 1])
    const again = await engine.transactions.send({ ...payment(from, now.entries), replaces: transactionIds[0] })
    expect(await isWaiting(transactionIds[0])).toBe(false)
    expect(await isWaiting(again.transactionIds[0])).toBe(true)
  })
})

describe('a payment that its sender calls off', () => {
  it('while the node is silent ends at once, and can be made later', async () => {
    const from = await somebody()
    const { entries } = await known(from.address)
    const caller = new AbortController()
    const freeze = devnode.faults.freeze()
    const attempt = engine.transactions.send(payment(from, entries), { signal: caller.signal })
    caller.abort()
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' })
    freeze.stop()
    expect((await engine.transactions.send(payment(from, entries))).transactionIds).toHaveLength(1)
  })
})

const isWaiting = (transactionId = ''): Promise<boolean> =>
  engine.rpc.getMempoolEntry(transactionId).then(
    () => true,
    () => false, // a node refuses to show what it has not
  )
