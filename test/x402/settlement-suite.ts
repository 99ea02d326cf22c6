import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAttemptStore, type StoredAttempt } from '../../src/x402/client/attempts.js'
import type { KaspaClient } from '../../src/x402/client/kaspa-client.js'
import type { KaspaFacilitator } from '../../src/x402/server/facilitator.js'
import { createMemoryX402Store } from '../../src/x402/stores/store.js'
import { createRecorder } from '../../src/engine/recorder/create-recorder.js'
import { FULL, runs } from '../full.js'
import { damageText, randomOf } from '../wrpc/mutation.js'
import { killedAfter, offer, payment, present, URL } from './support/desk.js'
import { KAS, openMarket, PRICE, type Market } from './support/market.js'
import { paymentOf } from './support/payments.js'

export function settlementTests(): void {
  let market: Market
  let kaspa: KaspaClient
  beforeEach(async () => {
    market = await openMarket()
    kaspa = await market.client()
  })
  afterEach(() => market.end())

  const earned = (): number =>
    market.devnode.expected.transfers([market.payTo]).filter(({ amount }) => amount === PRICE).length
  const txOf = ({ payload }: PaymentPayload): string => (JSON.parse(String(payload.transaction)) as { id: string }).id
  /** Mines until a response is there. */
  async function mineUntil<T>(response: Promise<T>): Promise<T> {
    const progress = { isDone: false }
    void response.finally(() => (progress.isDone = true)).catch(() => undefined)
    while (!progress.isDone) {
      await market.devnode.mine()
      await new Promise((resolve) => setImmediate(resolve))
    }
    return response
  }
  const inMempool = (id: string) => expect.poll(() => market.devnode.expected.mempool()).toContain(id)

  /** Presents a payment until the node has it: a busy machine reaches the deadline before it is submitted. */
  const presentUntilSent = (x402: KaspaFacilitator, paid: PaymentPayload, terms: PaymentRequirements) =>
    expect
      .poll(async () => {
        expect(await present(x402, paid, terms)).toMatchObject({ status: 503, reason: 'settlement_pending' })
        return market.devnode.expected.mempool()
      })
      .toContain(txOf(paid))

  async function prepare(x402: KaspaFacilitator): Promise<readonly [PaymentPayload, PaymentRequirements]> {
    const terms = await offer(x402, market.payTo)
    return [await payment(kaspa, terms), terms]
  }

  it('deletes what was served before `retain`, and keeps what was served since', async () => {
    const store = createMemoryX402Store()
    const [old, recent] = [3, 1].map((hours) =>
      paymentOf(`a${hours}`, { state: 'served', claimedAt: Date.now() - hours * 3_600_000 }),
    )
    await store.claim(old!)
    await store.claim(recent!)
    const x402 = await market.facilitator(store, { retain: 2 * 3_600_000 })
    await expect.poll(() => x402.find(old!.transactionId)).toBeNull()
    expect(await x402.find(recent!.transactionId)).not.toBeNull()
    await expect(market.facilitator(store, { retain: 3_599_999 })).rejects.toMatchObject({ argument: 'retain' })
  })

  it('settles by what the chain shows, where the reply of the node is lost', async () => {
    const x402 = await market.facilitator()
    const [paid, terms] = await prepare(x402)
    market.devnode.faults.dropReply({ method: 'submitTransaction' })
    expect(await mineUntil(present(x402, paid, terms))).toMatchObject({ status: 200, body: 'the report' })
    expect([earned(), x402.metrics().settled]).toEqual([1, 1])
  })

  it('is pending with 503 at its deadline, and is settled when it is presented again', async () => {
    const x402 = await market.facilitator(undefined, { settleTimeout: 50 })
    const [paid, terms] = await prepare(x402)
    await presentUntilSent(x402, paid, terms)
    await market.devnode.mine(3)
    await expect.poll(async () => (await x402.find(txOf(paid)))?.state).toBe('accepted')
    await expect.poll(() => present(x402, paid, terms)).toMatchObject({ status: 200, body: 'the report' })
    expect(earned()).toBe(1)
  })

  it('is pending, not refused, while the node does not respond', async () => {
    const x402 = await market.facilitator(undefined, { settleTimeout: 100 })
    const [paid, terms] = await prepare(x402)
    market.devnode.faults.dropReply({ method: 'getUtxosByAddresses' })
    expect(await present(x402, paid, terms)).toMatchObject({ status: 503, reason: 'settlement_pending' })
    expect(await x402.find(txOf(paid))).toBe(null)
  })

  it('is pending, not refused, while the store fails, and says nothing of why', async () => {
    const store = createMemoryX402Store()
    const failing = { ...store, find: () => Promise.reject(new Error('password authentication failed for "x402"')) }
    const x402 = await market.facilitator(failing)
    const [paid, terms] = await prepare(x402)
    expect(await present(x402, paid, terms)).toEqual({ status: 503, body: '', reason: 'settlement_pending' })
  })

  it('is served after its expiry where it was claimed before', async () => {
    const x402 = await market.facilitator(undefined, { settleTimeout: 50 })
    const [paid, terms] = await prepare(x402)
    await presentUntilSent(x402, paid, terms)
    await market.devnode.mine(3)
    await expect.poll(async () => (await x402.find(txOf(paid)))?.state).toBe('accepted')
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    try {
      await expect.poll(() => present(x402, paid, terms)).toMatchObject({ status: 200, body: 'the report' })
      const dearer = await offer(x402, market.payTo, { amount: String(PRICE + 1n) })
      const other = await payment(kaspa, dearer) // it expires later
      clock.mockReturnValue(Date.now() + 3_600_000)
      expect(await present(x402, other, other.accepted)).toMatchObject({ status: 402, reason: 'expired' })
    } finally {
      clock.mockRestore()
    }
  })

  it('responds at its deadline where the clock is set back', async () => {
    const x402 = await market.facilitator(undefined, { settleTimeout: 500 })
    const [paid, terms] = await prepare(x402)
    await presentUntilSent(x402, paid, terms) // nothing expires then
    const response = present(x402, paid, terms)
    await new Promise((resolve) => setImmediate(resolve)) // the deadline is set
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
    try {
      expect(await response).toMatchObject({ status: 503, reason: 'settlement_pending' })
    } finally {
      clock.mockRestore()
    }
  })

  it("refuses another payer's payment, another request, and a payment of the chain", async () => {
    const x402 = await market.facilitator()
    const [paid, terms] = await prepare(x402)
    expect(await present(x402, paid, terms, { url: `${URL}/other` })).toMatchObject({ reason: 'request_mismatch' })
    expect(await mineUntil(present(x402, paid, terms))).toMatchObject({ status: 200 })
    const thief = await market.client(createAttemptStore(), {
      privateKey: market.devnode.accounts[2]!.privateKeyHex,
    } as never)
    const own = await payment(thief, terms)
    const stolen = { ...own, payload: { ...own.payload, transaction: paid.payload.transaction } }
    expect(await present(x402, stolen, terms)).toMatchObject({ status: 402, reason: 'payer_mismatch' })
    expect(earned()).toBe(1)
  })

  describe('a double spend', () => {
    /** Spends the inputs of a payment otherwise, by the payer's own wallet. */
    async function spendOtherwise(id: string | undefined): Promise<string> {
      const engine = await market.engine()
      await engine.wasm.init()
      const entries = await engine.rpc.getUtxosByAddresses([market.agent.address])
      const { transactionIds } = await engine.transactions.send({
        ...{ entries, outputs: [{ address: market.agent.address, amount: KAS }], changeAddress: market.agent.address },
        ...{ privateKeys: [market.agent.privateKeyHex], ...(id === undefined ? {} : { replaces: id }) },
      })
      return transactionIds.at(-1)!
    }

    it('before the payment is refused without a claim', async () => {
      const x402 = await market.facilitator()
      const [paid, terms] = await prepare(x402)
      const engine = await market.engine()
      await engine.wasm.init()
      const entries = await engine.rpc.getUtxosByAddresses([market.agent.address])
      await engine.transactions.sweep({ entries, to: market.agent.address, privateKeys: [market.agent.privateKeyHex] })
      await market.devnode.mine(2)
      expect(await present(x402, paid, terms)).toMatchObject({ status: 402, reason: 'invalid_utxo' })
      expect(await x402.find(txOf(paid))).toBe(null)
    })

    it('by RBF after the broadcast is noticed with its block, and rejected after ten', async () => {
      const x402 = await market.facilitator()
      const [paid, terms] = await prepare(x402)
      const response = present(x402, paid, terms)
      await inMempool(txOf(paid))
      const rival = await spendOtherwise(txOf(paid))
      await market.devnode.mine(2) // the block that has it, and the one that accepts it: ten would reject the payment
      expect(await response).toMatchObject({ status: 402, reason: 'double_spent' })
      expect(await x402.find(txOf(paid))).toMatchObject({ state: 'conflicting', conflict: { transactionId: rival } })
      await market.devnode.mine(11)
      await expect.poll(async () => (await x402.find(txOf(paid)))?.state).toBe('rejected')
      expect(earned()).toBe(0)
    })

    it('by a reorg after service is reported, and the response is repeated no more', async () => {
      const x402 = await market.facilitator()
      const reports: string[] = []
      x402.events$.subscribe(({ type, transactionId }) => type === 'lost' && reports.push(transactionId))
      const [paid, terms] = await prepare(x402)
      expect(await mineUntil(present(x402, paid, terms))).toMatchObject({ status: 200 })
      const { sinkBlueScore } = await x402.engine.rpc.getSinkBlueScore()
      const { acceptedBlueScore } = (await x402.find(txOf(paid)))!
      const depth = Number(sinkBlueScore - acceptedBlueScore!) + 2 // with the block that has it
      await market.devnode.reorg({ depth, doubleSpend: [txOf(paid)] })
      await expect.poll(async () => (await x402.find(txOf(paid)))?.state).toBe('conflicting')
      expect(await present(x402, paid, terms)).toMatchObject({ status: 402, reason: 'double_spent' })
      expect([reports, x402.metrics().lost]).toEqual([[txOf(paid)], 1])
    })

    it('of two payments with one input is refused where the first is claimed', async () => {
      const x402 = await market.facilitator(undefined, { settleTimeout: 50 })
      const [paid, terms] = await prepare(x402)
      const dearer = await offer(x402, market.payTo, { amount: String(PRICE + 1n) })
      const again = await payment(await market.client(), dearer)
      await presentUntilSent(x402, paid, terms)
      const other = await present(x402, again, dearer)
      expect(other).toMatchObject({ status: 402, reason: 'input_claimed' })
    })
  })

  describe('killed after a write of the store', () => {
    const instants = [
      [1, 'claimed', 200],
      [2, 'broadcast or accepted', 200],
      [3, 'accepted', 200],
      [4, 'serving', 402],
      [5, 'served', 200],
    ] as const
    it.each(instants.filter(([writes]) => FULL || writes === 1 || writes === 4))(
      '%i (%s), the identical payment is charged once and served at most once',
      async (writes, _, status) => {
        const store = createMemoryX402Store()
        const dying = killedAfter(store, writes)
        const first = await market.facilitator(dying)
        const [paid, terms] = await prepare(first)
        let calls = 0
        const handler = () => `the report ${++calls}`
        void present(first, paid, terms, { handler })
        await mineUntil(dying.killed)
        await first.engine.dispose()
        const second = await market.facilitator(store, { handlerTimeout: 0 })
        const response = await mineUntil(present(second, paid, terms, { handler }))
        expect([response.status, calls]).toEqual([status, writes === 4 ? 0 : 1])
        expect(earned()).toBe(1)
        if (status === 200)
          expect(await present(second, paid, terms, { handler })).toMatchObject({ body: 'the report 1' })
        else {
          expect(response.reason).toBe('recovery_required')
          await second.recover(txOf(paid), { status: 200, headers: {}, body: btoa('by hand') })
          expect(await present(second, paid, terms, { handler })).toMatchObject({ status: 200, body: 'by hand' })
        }
      },
    )
  })

  it('sends the node nothing about a payment that is refused by its form, and stores nothing', async () => {
    const recorder = createRecorder()
    const engine = await market.engine({ recorder })
    const x402 = await market.facilitator(undefined, { engine })
    const [paid, terms] = await prepare(x402)
    const text = JSON.stringify(paid)
    // the first fields after the id, as the text has them: where they are undamaged, the transaction may be valid
    const fields = JSON.stringify(String(paid.payload.transaction).slice(74, 274)).slice(1, -1)
    const random = randomOf(402)
    const lookups = (): number =>
      engine.metrics().calls.find(({ method }) => method === 'getUtxosByAddresses')?.count ?? 0
    const before = lookups()
    let refused = 0
    for (let run = 0; run < runs(40, 4_000); run++) {
      const hostile = parse(damageText(text, random))
      if (hostile === undefined || JSON.stringify(hostile).includes(fields)) continue
      expect((await present(x402, hostile, terms)).status).toBe(402)
      refused++
    }
    expect([lookups() - before, refused > 0, await x402.find(txOf(paid))]).toEqual([0, true, null])
  })

  function parse(text: string): PaymentPayload | undefined {
    try {
      return JSON.parse(text) as PaymentPayload
    } catch {
      return undefined // the upstream server refuses what is no JSON
    }
  }

  it('needs a recovery where the handler failed, and does not run it again', async () => {
    const x402 = await market.facilitator()
    const [paid, terms] = await prepare(x402)
    const fails = (): string => {
      throw new Error('The handler failed')
    }
    await expect(mineUntil(present(x402, paid, terms, { handler: fails }))).rejects.toThrow('The handler failed')
    expect(await present(x402, paid, terms)).toMatchObject({ status: 402, reason: 'recovery_required' })
  })

  describe('the client', () => {
    it('presents an open payment again, byte for byte, also from another process', async () => {
      const items = new Map<string, string>()
      const storage = {
        getItem: (key: string) => items.get(key) ?? null,
        setItem: (key: string, value: string) => void items.set(key, value),
      }
      const x402 = await market.facilitator()
      const terms = await offer(x402, market.payTo)
      const first = await payment(await market.client(createAttemptStore({ storage })), terms)
      const second = await market.client(createAttemptStore({ storage }))
      expect(JSON.stringify(await payment(second, terms))).toBe(JSON.stringify(first))
      expect([...items.values()].join()).not.toContain(market.agent.privateKeyHex)
      const [open] = await second.open()
      await second.resolve(open!.transactionId, 'never')
      expect(txOf(await payment(second, terms))).not.toBe(undefined)
      expect((await second.open()).map(({ resolved }) => resolved)).toEqual(['open'])
    })

    it('is not charged twice where an older attempt of the same request is resolved late', async () => {
      const store = createAttemptStore()
      const attempt = { ...(await newAttempt()), resolved: 'never' } as const
      const second = { ...attempt, transactionId: 'second', resolved: 'open' } as const
      await store.put(attempt)
      await store.put(second)
      await store.put({ ...attempt, resolved: 'paid' })
      expect(await store.find(attempt.id)).toEqual(second)
    })

    /** An attempt that was stored and not sent. */
    async function newAttempt(): Promise<StoredAttempt> {
      const own = createAttemptStore()
      await payment(await market.client(own), await offer(await market.facilitator(), market.payTo))
      return (await own.since(0))[0]!
    }

    it('pays no more than a day allows, and refuses an offer that names another script', async () => {
      const limited = await market.client(createAttemptStore(), { maxPerDay: PRICE })
      const x402 = await market.facilitator()
      const terms = await offer(x402, market.payTo)
      await expect(payment(limited, terms)).rejects.toMatchObject({ code: 'limit-exceeded' })
      const other = { ...terms, extra: { ...terms.extra, payToScriptPublicKey: '0000' } }
      await expect(payment(kaspa, other)).rejects.toMatchObject({ argument: 'extra.payToScriptPublicKey' })
    })

    it('splits its funds, so that payments need no change of each other', async () => {
      await kaspa.split(3, 2n * KAS)
      await market.devnode.mine(2)
      const x402 = await market.facilitator()
      const terms = await offer(x402, market.payTo)
      const urls = [1, 2, 3].map((number) => `${URL}/${number}`)
      const payments = await Promise.all(urls.map((url) => payment(kaspa, structuredClone(terms), url)))
      const responses = await mineUntil(
        Promise.all(payments.map((paid, at) => present(x402, paid, terms, { url: urls[at]! }))),
      )
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(earned()).toBe(3)
    })
  })
}
