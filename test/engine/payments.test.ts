import { filter, firstValueFrom, lastValueFrom, tap } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { UtxoSource } from '../../src/model/utxo-source/source.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import { ChainError } from '../../src/errors/chain-error.js'
import type { TransactionStatus } from '../../src/streams/status/status.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { eachFile } from '../lifetimes.js'

const KAS = 100_000_000n

let next = 0

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 12, balance: 0n }))
const engine = eachFile(() => createChainEngine({ network: 'simnet', url: devnode.urls.borsh }))
beforeAll(async () => {
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
})

/** A new account with one UTXO of 50 KAS, used by one test only. */
async function fundedAccount(): Promise<DevnodeAccount> {
  const account = devnode.accounts[next++]
  if (account === undefined) throw new Error('Make more accounts')
  await devnode.fund(account.address, 50n * KAS)
  return account
}

/** The first fresh UTXO state of an address. */
const freshState = (address: string): Promise<UtxoState> =>
  firstValueFrom(engine.utxos([address]).state$.pipe(filter(({ freshness }) => freshness === 'fresh')))

function payment(from: DevnodeAccount, entries: readonly UtxoEntry[] | UtxoSource, amount = KAS) {
  return {
    entries,
    outputs: [{ address: devnode.accounts.at(-1)?.address ?? '', amount }],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  }
}

describe('a payment through the engine', () => {
  it('is tracked from the mempool to its acceptance', async () => {
    const from = await fundedAccount()
    const { transactionIds } = await engine.transactions.send(
      payment(from, (await freshState(from.address)).matureEntries),
    )
    const statuses: string[] = []
    const status$ = engine.transactionStatus$(transactionIds[0] ?? '', { confirmations: 3 })
    const followed = lastValueFrom(status$.pipe(tap(({ status }) => statuses.push(status))))
    await expect.poll(() => statuses.at(-1)).toBe('mempool')
    await devnode.mine(6)
    await followed
    expect([...new Set(statuses)].filter((status) => status !== 'unknown')).toEqual(['mempool', 'accepted'])
  })

  it('removes its UTXOs from matureEntries and from the selection of a second payment', async () => {
    const from = await fundedAccount()
    await devnode.fund(from.address, 20n * KAS)
    const tracker = engine.utxos([from.address])
    const matureCounts: number[] = []
    const subscription = tracker.state$.subscribe(({ matureEntries }) => matureCounts.push(matureEntries.length))
    await expect.poll(() => matureCounts.at(-1)).toBe(2)
    const { entries } = await freshState(from.address)
    const [first, second] = await Promise.all([
      engine.transactions.send(payment(from, entries)),
      engine.transactions.send(payment(from, entries)),
    ])
    expect(first.transactionIds).not.toEqual(second.transactionIds)
    await expect.poll(() => matureCounts.at(-1)).toBe(0)
    await expect(engine.transactions.send(payment(from, entries))).rejects.toMatchObject({
      code: 'insufficient-funds',
      reserved: 70n * KAS,
    })
    await devnode.mine(2)
    await expect.poll(() => matureCounts.at(-1)).toBe(2) // the change of both
    subscription.unsubscribe()
  })

  it('selects from the source of a state, and is cancelled with it', async () => {
    const from = await fundedAccount()
    await devnode.fund(from.address, 20n * KAS)
    const states: UtxoState[] = []
    const subscription = engine.utxos([from.address]).state$.subscribe((state) => states.push(state))
    await expect.poll(() => states.at(-1)?.source.size).toBe(2)
    const { source } = await freshState(from.address)
    const [first, second] = await Promise.all([
      engine.transactions.send(payment(from, source)),
      engine.transactions.send(payment(from, source, 30n * KAS)),
    ])
    await expect.poll(() => states.at(-1)?.matureEntries).toEqual([])
    const latest = states.at(-1)?.source
    if (latest === undefined) throw new Error('a state was emitted')
    expect(latest.size).toBe(2) // until a block spends them
    await expect(engine.transactions.send(payment(from, latest))).rejects.toMatchObject({ reserved: 70n * KAS })
    const { outputs: _, ...cancellation } = payment(from, latest)
    const cancelled = await engine.transactions.cancel(first.transactionIds[0] ?? '', cancellation)
    await devnode.mine(2)
    const left = 40n * KAS - second.summary.fees - cancelled.summary.fees
    await expect.poll(() => states.at(-1)?.balance.mature).toBe(left)
    subscription.unsubscribe()
  })

  it('keeps its UTXOs reserved where a node refuses it, and sends the same transaction again', async () => {
    const from = await fundedAccount()
    const { entries } = await freshState(from.address)
    devnode.faults.failCall({
      method: 'submitTransaction',
      message: `Rejected transaction ${'ab'.repeat(32)}: transaction ${'ab'.repeat(32)} is an orphan where orphan is disallowed`,
    })
    const error: unknown = await engine.transactions.send(payment(from, entries)).catch((refusal: unknown) => refusal)
    if (!(error instanceof ChainError)) throw error
    expect(error).toMatchObject({ reason: 'orphan', outcome: 'unknown' })
    await expect(engine.transactions.send(payment(from, entries))).rejects.toMatchObject({
      code: 'insufficient-funds',
      outcome: 'unsent',
    })
    const restored = await engine.transactions.restore(error.payments![0]!)
    expect(await restored.submit()).toBe(error.transactionId)
    expect(restored.known).toBe('new')
  })

  it('is shown as rejected where another payment has spent its UTXO, and is followed on', async () => {
    const from = await fundedAccount()
    const { entries } = await freshState(from.address)
    const [pending] = (await engine.transactions.create(payment(from, entries, 2n * KAS))).transactions
    if (pending === undefined) throw new Error('there is one')
    pending.sign([from.privateKeyHex])
    await engine.transactions.send(payment(from, entries))
    const statuses: TransactionStatus[] = []
    const following = engine.transactionStatus$(pending.id).subscribe((status) => statuses.push(status))
    await expect(pending.submit()).rejects.toMatchObject({ reason: 'double-spend' })
    expect(statuses.at(-1)).toMatchObject({ status: 'rejected', error: { reason: 'double-spend' } })
    expect(following.closed).toBe(false)
    following.unsubscribe()
  })

  it('is submitted once where the reply is lost', async () => {
    const from = await fundedAccount()
    const impatient = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, requestTimeout: 2_000 })
    await Promise.all([impatient.connection.connect(), impatient.wasm.init()])
    devnode.faults.dropReply({ method: 'submitTransaction' })
    const { entries } = await freshState(from.address)
    const { transactionIds } = await impatient.transactions.send(payment(from, entries))
    expect(await isInMempool(transactionIds[0])).toBe(true)
    await impatient.dispose()
  })

  it('rejects with its id where the engine is disposed before the outcome is known', async () => {
    const from = await fundedAccount()
    const shortLived = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await Promise.all([shortLived.connection.connect(), shortLived.wasm.init()])
    const { entries } = await freshState(from.address)
    const [sent] = (await shortLived.transactions.create(payment(from, entries))).transactions
    if (sent === undefined) throw new Error('there is one')
    sent.sign([from.privateKeyHex])
    devnode.faults.dropReply({ method: 'submitTransaction' })
    const outcomes: unknown[] = []
    sent.submit().catch((error: unknown) => outcomes.push(error))
    await expect.poll(() => isInMempool(sent.id)).toBe(true)
    await shortLived.dispose()
    await expect.poll(() => outcomes).toMatchObject([{ code: 'connection-lost', transactionId: sent.id }])
  })
})

describe('a replacement', () => {
  it('shows the other payment as replaced and is accepted', async () => {
    const from = await fundedAccount()
    const to = await fundedAccount()
    const { entries } = await freshState(from.address)
    const first = await engine.transactions.send(payment(from, entries))
    const status$ = engine.transactionStatus$(first.transactionIds[0] ?? '')
    const replaced = firstValueFrom(status$.pipe(filter(({ status }) => status === 'replaced')))
    const second = await engine.transactions.send({
      ...payment(from, entries),
      outputs: [{ address: to.address, amount: 7n * KAS }],
      replaces: first.transactionIds[0],
    })
    expect(await replaced).toMatchObject({
      status: 'replaced',
      error: { message: expect.stringContaining(second.transactionIds[0] ?? '') as string },
    })
    await devnode.mine(2)
    expect((await freshState(to.address)).balance.mature).toBe(57n * KAS)
  })

  it('finds the reserved UTXOs of the other payment in the tracker state', async () => {
    const from = await fundedAccount()
    const { entries } = await freshState(from.address)
    const { transactionIds } = await engine.transactions.send(payment(from, entries))
    const now = await freshState(from.address)
    expect([now.matureEntries.length, now.entries.length]).toEqual([0, 1])
    const again = await engine.transactions.send({ ...payment(from, now.entries), replaces: transactionIds[0] })
    expect(await isInMempool(transactionIds[0])).toBe(false)
    expect(await isInMempool(again.transactionIds[0])).toBe(true)
  })
})

describe('an aborted payment', () => {
  it('rejects at once while the node does not respond, and can be repeated', async () => {
    const from = await fundedAccount()
    const { entries } = await freshState(from.address)
    const controller = new AbortController()
    const freeze = devnode.faults.freeze()
    const attempt = engine.transactions.send(payment(from, entries), { signal: controller.signal })
    controller.abort()
    await expect(attempt).rejects.toMatchObject({ code: 'aborted' })
    freeze.stop()
    expect((await engine.transactions.send(payment(from, entries))).transactionIds).toHaveLength(1)
  })
})

const isInMempool = (transactionId = ''): Promise<boolean> =>
  engine.rpc.getMempoolEntry(transactionId).then(
    () => true,
    () => false, // a node rejects an unknown id
  )
