// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { nextTick, reactive, shallowRef } from 'vue'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { useChain } from '../../../src/adapters/vue/composables/useChain.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useTransaction } from '../../../src/adapters/vue/composables/useTransaction.js'
import { useTransactionStatus } from '../../../src/adapters/vue/composables/useTransactionStatus.js'
import { useUtxo } from '../../../src/adapters/vue/composables/useUtxo.js'
import { createDevnode } from '../../../src/devnode/index.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { createServerPlatform } from '../../../src/platform/detect.js'
import { eachFile } from '../../lifetimes.js'
import { utxo } from '../../operations/transactions/accounts.js'
import { mountApp, type Mounted } from './with-app.js'

const KAS = 100_000_000n

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 3, balance: 0n }))

/** An app that pays from one account and tracks its payments. */
function mountPayer(options: object = {}) {
  const [from, to] = devnode.accounts
  if (from === undefined || to === undefined) throw new Error('A devnode has accounts')
  const sent = shallowRef<string | null | undefined>(null)
  const setup = () => ({
    chain: useChain(),
    rpc: useRpc(),
    utxo: useUtxo(from.address),
    transaction: useTransaction(),
    status: useTransactionStatus(sent),
  })
  const mounted = mountApp(setup, (app) =>
    app.use(VueChain, {
      network: 'simnet',
      url: devnode.urls.borsh,
      autoConnect: false,
      ports: { platform: createServerPlatform() },
      ...options,
    }),
  )
  const payment = (amount = KAS) => ({
    entries: mounted.result.utxo.entries.value,
    outputs: [{ address: to.address, amount }],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  return { ...mounted, from, to, sent, payment }
}

/** The same, connected, with WASM and one UTXO of 50 KAS. */
async function mountReadyPayer() {
  const payer = mountPayer()
  await Promise.all([payer.result.chain.init(), payer.result.rpc.connect()])
  await devnode.fund(payer.from.address, 50n * KAS)
  await expect.poll(() => payer.result.utxo.matureEntries.value.length).toBeGreaterThan(0)
  return payer
}

const endApp = ({ unmount }: Pick<Mounted<unknown>, 'unmount'>): void => unmount()

describe('useTransaction', () => {
  it('rejects what signs with keys before WASM is ready, without a request to the node', async () => {
    const payer = mountPayer()
    const { send, sweep, consolidate, cancel } = payer.result.transaction
    const { outputs: _, changeAddress, ...settings } = payer.payment()
    for (const [attempt, operation] of [
      [send(payer.payment()), 'send'],
      [sweep({ ...settings, to: changeAddress }), 'sweep'],
      [consolidate({ ...settings, changeAddress }), 'consolidate'],
      [cancel('ab'.repeat(32), { ...settings, changeAddress }), 'cancel'],
    ] as const) {
      const error: unknown = await attempt.catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(ChainNotReadyError)
      expect(String(error)).toContain(operation)
    }
    endApp(payer)
  })

  it('estimates, creates and restores without WASM', async () => {
    const payer = mountPayer({ sdk: () => new Promise(() => undefined) }) // never loads
    await payer.result.rpc.connect()
    const { estimate, create, restore } = payer.result.transaction
    const payment = { ...payer.payment(), entries: [utxo(50n * KAS, 0, { address: payer.from.address })] }
    expect((await estimate(payment)).transactions).toBe(1)
    const { transactions } = await create(payment)
    expect((await restore(transactions[0]?.serialize() ?? never())).id).toBe(transactions[0]?.id)
    expect(payer.result.chain.isReady.value).toBe(false)
    endApp(payer)
  })

  it('pays with the entries of useUtxo, and is tracked to its acceptance', async () => {
    const payer = await mountReadyPayer()
    const { transaction, utxo, status } = payer.result
    const { summary } = await transaction.send(payer.payment())
    payer.sent.value = summary.finalTransactionId
    await expect.poll(() => status.status.value).toBe('mempool')
    expect(utxo.matureEntries.value).toEqual([])
    await devnode.mine(3)
    await expect.poll(() => status.status.value).toBe('accepted')
    await expect.poll(() => utxo.balance.value.mature).toBe(50n * KAS - KAS - summary.fees)
    endApp(payer)
  })

  it('pays with the source of useUtxo, which Vue does not wrap', async () => {
    const payer = await mountReadyPayer()
    const { transaction, utxo } = payer.result
    const source: unknown = reactive({ source: utxo.source.value }).source
    expect(source).toBe(utxo.source.value) // no proxy
    const payment = { ...payer.payment(), entries: utxo.source.value }
    const [estimated, sent] = [await transaction.estimate(payment), await transaction.send(payment)]
    expect(sent.summary).toMatchObject(estimated)
    await devnode.mine(1)
    endApp(payer)
  })

  it('is tracked once its id is set', async () => {
    const payer = await mountReadyPayer()
    const { status, error } = payer.result.status
    payer.sent.value = undefined
    await nextTick()
    expect([status.value, error.value]).toEqual(['unknown', null])
    payer.sent.value = (await payer.result.transaction.send(payer.payment())).transactionIds[0]
    await expect.poll(() => status.value).toBe('mempool')
    await devnode.mine(2)
    endApp(payer)
  })

  it('creates transactions that can be signed and submitted later', async () => {
    const payer = await mountReadyPayer()
    const { transactions, summary } = await payer.result.transaction.create({ ...payer.payment(), networkId: 'simnet' })
    expect([transactions.length, summary.transactions]).toEqual([1, 1])
    transactions[0]?.sign([payer.from.privateKeyHex])
    const { transactionId } = await payer.result.rpc
      .submitTransaction(transactions[0]?.serialize() ?? never())
      .then((id) => ({ transactionId: id }))
    expect(transactionId).toBe(transactions[0]?.id)
    await devnode.mine(2)
    endApp(payer)
  })

  it('passes the abort signal on', async () => {
    const payer = await mountReadyPayer()
    const { estimate, send } = payer.result.transaction
    expect((await estimate(payer.payment())).finalAmount).toBe(KAS)
    await expect(send(payer.payment(), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    endApp(payer)
  })
})

function never(): never {
  throw new Error('there is one')
}
