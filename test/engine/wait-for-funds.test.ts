import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import type { SendOptions } from '../../src/operations/transactions/records.js'
import { createPlatform } from '../../src/platform/detect.js'
import { createNodePort } from '../../src/wrpc/client.js'
import { pollMined } from '../poll-mined.js'
import { lying, type Lies } from '../hostile/lying-port.js'

const KAS = 100_000_000n
/** Ms, longer than any test. */
const LONG = 3_600_000

let devnode: Devnode
let engine: ChainEngine
/** One UTXO of the first account. */
let entries: readonly UtxoEntry[]
beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
  await devnode.mine(2)
  engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  entries = (await engine.rpc.getUtxosByAddresses([devnode.accounts[0]!.address])).slice(0, 1)
})
afterEach(async () => {
  await engine.dispose()
  await devnode.close()
})

const settingsOf = (amount: bigint) => {
  const [from, to] = devnode.accounts
  return {
    entries,
    outputs: [{ address: to!.address, amount }],
    changeAddress: from!.address,
    privateKeys: [from!.privateKeyHex],
  }
}
const pay = (amount = KAS, options?: SendOptions) => engine.transactions.send(settingsOf(amount), options)

const idsPaid = (): readonly string[] =>
  devnode.expected.transfers([devnode.accounts[1]!.address]).map(({ transactionId }) => transactionId)

it('pays in turn from one UTXO, each payment from the change of the one before', async () => {
  const payments = [1n, 2n, 3n].map((kas) => pay(kas * KAS, { waitForFunds: LONG }))
  let paid = 0
  for (const payment of payments) void payment.then(() => paid++)
  await pollMined(devnode, () => paid).toBe(3)
  await devnode.mine(2)
  const ids = (await Promise.all(payments)).flatMap(({ transactionIds }) => transactionIds)
  expect([...idsPaid()].sort()).toEqual(ids.sort())
})

it('spends no UTXO that was not given but the change of the given ones', async () => {
  await pay()
  const second = pay(2n * KAS, { waitForFunds: LONG })
  const planned = await engine.transactions.create(settingsOf(KAS)).catch((error: unknown) => error)
  expect(planned).toMatchObject({ code: 'insufficient-funds', spendable: 0n }) // others are free
  await devnode.mine()
  const { transactionIds } = await second
  await devnode.mine(2)
  expect(idsPaid()).toContain(transactionIds[0])
})

it('waits for the change of the UTXOs of a tracker, which is younger than its state', async () => {
  const [from, to] = devnode.accounts
  const state = await firstValueFrom(
    engine.utxos([from!.address]).state$.pipe(filter(({ freshness }) => freshness === 'fresh')),
  )
  const all = state.balance.mature
  const outputs = (amount: bigint) => [{ address: to!.address, amount }]
  const settings = { entries: state.source, changeAddress: from!.address, privateKeys: [from!.privateKeyHex] }
  await engine.transactions.send({ ...settings, outputs: outputs(all - 2n * KAS) })
  const second = engine.transactions.send({ ...settings, outputs: outputs(KAS) }, { waitForFunds: LONG })
  await devnode.mine(2)
  const { transactionIds } = await second
  await devnode.mine(2)
  expect(idsPaid()).toContain(transactionIds[0])
})

it('spends change at the amount that it has, where the node reports another one', async () => {
  const platform = createPlatform()
  const less: Lies = {
    getUtxosByAddresses: ({ entries }) => ({
      entries: entries.map((entry) => ({ ...entry, amount: entry.amount - KAS })),
    }),
  }
  const victim = createChainEngine({
    network: 'simnet',
    url: devnode.urls.borsh,
    sdk: light,
    ports: { platform, node: lying(createNodePort(platform), less) },
  })
  await Promise.all([victim.connection.connect(), victim.wasm.init()])
  await victim.transactions.send(settingsOf(KAS))
  const second = victim.transactions.send(settingsOf(2n * KAS), { waitForFunds: LONG })
  await devnode.mine(2)
  const { summary, transactionIds } = await second
  await devnode.mine(2)
  expect(idsPaid()).toContain(transactionIds[0])
  expect(summary.fees).toBeLessThan(KAS / 100n)
  await victim.dispose()
})

it('says which payment reserves the funds, at once and at the end of the wait', async () => {
  const { transactionIds } = await pay()
  const reservedBy = [{ transactionId: transactionIds[0], amount: entries[0]!.amount }]
  const refused = { code: 'insufficient-funds', outcome: 'unsent', reserved: entries[0]!.amount, reservedBy }
  await expect(pay()).rejects.toMatchObject(refused)
  await expect(pay(KAS, { waitForFunds: 20 })).rejects.toMatchObject(refused)
  await expect(engine.transactions.create(settingsOf(KAS), { waitForFunds: 20 })).rejects.toMatchObject({ reservedBy })
})

it('does not wait where no payment can bring the funds', async () => {
  const impossible = { code: 'insufficient-funds', reserved: 0n, reservedBy: [] }
  await expect(pay(10n ** 17n, { waitForFunds: LONG })).rejects.toMatchObject(impossible)
})

it('ends the wait by the signal, with nothing sent', async () => {
  const { transactionIds } = await pay()
  const abort = new AbortController()
  const waiting = pay(2n * KAS, { waitForFunds: LONG, signal: abort.signal })
  const ended = expect(waiting).rejects.toMatchObject({ code: 'aborted', outcome: 'unsent' })
  await engine.rpc.getServerInfo() // it waits
  abort.abort()
  await ended
  await devnode.mine(2)
  expect(idsPaid()).toEqual(transactionIds)
})

it('spends change before it is accepted, as deep as the option says, and in order', async () => {
  const ids = (await pay()).transactionIds
  await expect(pay(2n * KAS)).rejects.toMatchObject({ code: 'insufficient-funds' })
  for (const [depth, kas] of [2n, 3n].entries()) {
    await expect(pay(kas * KAS, { chainDepth: depth })).rejects.toMatchObject({ code: 'insufficient-funds' })
    ids.push(...(await pay(kas * KAS, { chainDepth: depth + 1 })).transactionIds)
  }
  await devnode.mine(5)
  expect([...idsPaid()].sort()).toEqual(ids.sort())
})

it('chains no payment to one that was not sent', async () => {
  const abort = new AbortController()
  const isSigning = new Promise<void>((resolve) => {
    const signer = { sign: () => new Promise<never>(() => resolve()) }
    const { privateKeys, ...settings } = settingsOf(KAS)
    void engine.transactions.send({ ...settings, signer }, { signal: abort.signal }).catch(() => privateKeys)
  })
  await isSigning
  await expect(pay(2n * KAS, { chainDepth: 10 })).rejects.toMatchObject({ code: 'insufficient-funds' })
  abort.abort()
})

it('does not replace a payment whose change a later one spends', async () => {
  const [first] = (await pay()).transactionIds
  const [second] = (await pay(2n * KAS, { chainDepth: 1 })).transactionIds
  const { outputs, ...settings } = settingsOf(0n)
  const refused = { code: 'invalid-argument', argument: 'replaces', outcome: 'unsent' }
  await expect(engine.transactions.cancel(first!, settings)).rejects.toMatchObject(refused)
  await devnode.mine(4)
  expect(outputs.length && [...idsPaid()].sort()).toEqual([first, second].sort())
})

it('refuses a wait and a depth out of their ranges', async () => {
  const refused = { code: 'invalid-argument', argument: 'waitForFunds' }
  const tooDeep = { code: 'invalid-argument', argument: 'chainDepth' }
  for (const chainDepth of [-1, 1.5, 11]) await expect(pay(KAS, { chainDepth })).rejects.toMatchObject(tooDeep)
  for (const given of [-1, Number.NaN, LONG + 1, '5']) {
    const options = { waitForFunds: given as number }
    await expect(pay(KAS, options)).rejects.toMatchObject(refused)
    await expect(engine.transactions.create(settingsOf(KAS), options)).rejects.toMatchObject(refused)
  }
})
