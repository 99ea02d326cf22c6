import { filter, firstValueFrom, type Observable } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { PaymentRequestSettings, RequestedPayment } from '../../src/streams/requests/requests.js'
import type { PaymentRequestState } from '../../src/streams/requests/state.js'
import type { StoredPaymentRequest } from '../../src/streams/requests/terms.js'
import { eachFile } from '../lifetimes.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }

const KAS = 100_000_000n

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 2, balance: 100n * KAS }))
const engine = eachFile(() => createEngine())
beforeAll(async () => {
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
})

const createEngine = (): ChainEngine => createChainEngine({ network: 'simnet', url: devnode.urls.borsh })

let startIndex = 0
const account = () => engine.accounts.fromExtendedPublicKey(vectors[5]!.kpub, { startIndex: startIndex++ })

const create = async (settings: Partial<PaymentRequestSettings> = {}): Promise<RequestedPayment> =>
  engine.requests.create({
    ...('account' in settings ? {} : { account: await account() }),
    amount: 10n * KAS,
    confirmations: 5,
    ...settings,
  })

/** Follows a request; every state so far. */
function follow({ state$ }: { readonly state$: Observable<PaymentRequestState> }) {
  const states: PaymentRequestState[] = []
  const subscription = state$.subscribe((state) => states.push(state))
  return {
    states,
    statuses: () => states.map(({ status }) => status).filter((status, at, all) => status !== all[at - 1]),
    until: (isReached: (state: PaymentRequestState) => boolean) => firstValueFrom(state$.pipe(filter(isReached))),
    stop: () => subscription.unsubscribe(),
  }
}
const isFresh = ({ freshness }: PaymentRequestState): boolean => freshness === 'fresh'
const is =
  (status: PaymentRequestState['status']) =>
  (state: PaymentRequestState): boolean =>
    state.status === status

/** Follows a request until it is in step with the node, which a block shows. */
async function followFresh(request: RequestedPayment) {
  const followed = follow(request)
  await devnode.mine()
  await followed.until(isFresh)
  return followed
}

/** Pays in a block that the next one accepts. */
async function fund(address: string, amount: bigint): Promise<string> {
  const id = await devnode.fund(address, amount)
  await devnode.mine()
  return id
}

/** Pays from the devnode's first account; the payment stays in the mempool. */
async function pay(address: string, amount: bigint): Promise<string> {
  const [payer] = devnode.accounts
  if (payer === undefined) throw new Error('There is no account')
  const { transactionIds } = await engine.transactions.send({
    entries: await engine.rpc.getUtxosByAddresses([payer.address]),
    outputs: [{ address, amount }],
    changeAddress: payer.address,
    privateKeys: [payer.privateKeyHex],
  })
  return transactionIds.at(-1) ?? ''
}

describe('a payment request', () => {
  it('is followed from the mempool to its last confirmation', async () => {
    const request = await create()
    expect(request.uri).toBe(`${request.address}?amount=10`)
    const followed = await followFresh(request)
    const transactionId = await pay(request.address, 12n * KAS)
    expect(await followed.until(is('seen'))).toMatchObject({ pending: 12n * KAS, received: 0n, missing: 0n })
    await devnode.mine(2)
    expect(await followed.until(is('paid'))).toMatchObject({ received: 12n * KAS, excess: 2n * KAS, pending: 0n })
    await devnode.mine(5)
    const { payments } = await followed.until(is('confirmed'))
    expect(payments).toMatchObject([
      { transactionId, amount: 12n * KAS, confirmations: 5, counterparties: [devnode.accounts[0]?.address] },
    ])
    expect(followed.statuses()).toEqual(['waiting', 'seen', 'paid', 'confirmed'])
    followed.stop()
  })

  it('is the same after a restart, for what was paid while nothing followed it', async () => {
    const stored = JSON.parse(JSON.stringify((await create()).stored)) as StoredPaymentRequest
    await fund(stored.address, 4n * KAS)
    await devnode.mine(12)
    const restarted = createEngine()
    const request = await restarted.requests.create(stored)
    expect(request.stored).toEqual(stored)
    const followed = await followFresh(request)
    const state = followed.states.at(-1)
    expect(state).toMatchObject({ status: 'partly-paid', missing: 6n * KAS, confirmed: 4n * KAS, isLate: false })
    await restarted.dispose()
  })

  it('goes back after a reorg that drops the payment, and forward again with another one', async () => {
    const request = await create()
    const followed = await followFresh(request)
    const id = await fund(request.address, 10n * KAS)
    await followed.until(is('paid'))
    await devnode.reorg({ depth: 3, drop: [id] })
    const reverted = await followed.until(({ wasReverted }) => wasReverted)
    expect(reverted).toMatchObject({ received: 0n, status: 'seen' })
    const statusAfterBlock = async () => {
      await devnode.mine()
      return followed.states.at(-1)?.status
    }
    await expect.poll(statusAfterBlock).toBe('waiting')
    expect(followed.states.at(-1)).toMatchObject({ missing: 10n * KAS, wasReverted: true })
    await fund(request.address, 10n * KAS)
    expect(await followed.until(is('paid'))).toMatchObject({ wasReverted: true })
    followed.stop()
  })

  it('is stale without a connection, and in step again after the reconnect', async () => {
    const request = await create()
    const followed = await followFresh(request)
    await engine.connection.disconnect()
    await followed.until(({ freshness }) => freshness === 'stale')
    await fund(request.address, 10n * KAS)
    await engine.connection.connect()
    expect(await followed.until(is('paid'))).toMatchObject({ isLate: false })
    await followed.until(isFresh)
    followed.stop()
  })

  it('expires while nothing is seen, and counts what comes late', async () => {
    const request = await create({ expiresIn: 1 })
    const followed = await followFresh(request)
    expect(await followed.until(is('expired'))).toMatchObject({ isExpired: true, isLate: false })
    await fund(request.address, 10n * KAS)
    expect(await followed.until(is('paid'))).toMatchObject({ isLate: true })
    followed.stop()
  })

  it('takes the next address of the account that has received nothing', async () => {
    const own = await account()
    await fund(own.address(startIndex - 1), KAS)
    const { stored } = await create({ account: own })
    expect(stored).toMatchObject({ index: startIndex, address: own.address(startIndex) })
    startIndex++
  })

  it('is stored before it is returned, and does not exist where that fails', async () => {
    const failure = new Error('The database is full')
    const own = await account()
    const created = create({ account: own, onCreated: () => Promise.reject(failure) })
    await expect(created).rejects.toBe(failure)
    const stored: StoredPaymentRequest[] = []
    const request = await create({ account: own, onCreated: (one) => void stored.push(one) })
    expect(stored).toEqual([request.stored])
  })

  it.each<[string, (address: string) => Promise<unknown>]>([
    ['that has received a payment', (address) => fund(address, KAS)],
    ['that has a payment in the mempool', (address) => pay(address, KAS)],
    ['of another request', async (address) => create({ account: undefined, address })],
  ])('is refused for an address %s', async (_, use) => {
    const { address } = await (await account()).next()
    await use(address)
    await expect(create({ account: undefined, address })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'address',
    })
  })

  it.each<[string, Partial<PaymentRequestSettings>]>([
    ['amount', { amount: 0n }],
    ['tolerance', { tolerance: 10n * KAS }],
    ['confirmations', { confirmations: 1.5 }],
    ['expiresIn', { expiresIn: 0 }],
    ['address', { address: 'kaspasim:qq3v55pepenq7cqsxmwh2q4mjuaae5gykhwt3uh8fh5wm3kzj2cr5rvnsgqwe' }],
    ['message', { message: 'x'.repeat(5_000), account: undefined, address: 'first' }],
  ])('is refused with an impossible "%s"', async (argument, settings) => {
    const address = settings.address === 'first' ? devnode.accounts[1]?.address : settings.address
    await expect(create({ ...settings, address })).rejects.toMatchObject({ code: 'invalid-argument', argument })
  })
})
