import { filter, firstValueFrom } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { light } from '../../src/sdk/light/light.js'
import { eachFile } from '../lifetimes.js'

const KAS = 100_000_000n
const AMOUNT = 7n * KAS

let next = 0
const engines = new Set<ChainEngine>()

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 30, balance: 0n }))
afterEach(async () => {
  await Promise.all([...engines].map((engine) => engine.dispose()))
  engines.clear()
})

/** A process: an engine of its own, without memory of the others. */
async function startProcess(): Promise<ChainEngine> {
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, sdk: light, requestTimeout: 3_000 })
  engines.add(engine)
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  return engine
}

/** Two new accounts; the first has one UTXO of 50 KAS. */
async function newAccounts(): Promise<{ from: DevnodeAccount; to: DevnodeAccount }> {
  const [from, to] = devnode.accounts.slice(next, (next += 2))
  if (from === undefined || to === undefined) throw new Error('Make more accounts')
  await devnode.fund(from.address, 50n * KAS)
  return { from, to }
}

const settingsOf = async (engine: ChainEngine, { from, to }: Awaited<ReturnType<typeof newAccounts>>) => ({
  entries: await engine.rpc.getUtxosByAddresses([from.address]),
  outputs: [{ address: to.address, amount: AMOUNT }],
  changeAddress: from.address,
  privateKeys: [from.privateKeyHex],
})

/** A file on disk: JSON text that outlives the process. */
const toDisk = (payments: readonly SerializedTransaction[]): string => JSON.stringify(payments)
const fromDisk = (text: string): SerializedTransaction => (JSON.parse(text) as SerializedTransaction[])[0]!

/** Sends in a process that stores the signed payment; `kill` runs once it is stored and ends the process. */
async function sendAndKill(
  accounts: Awaited<ReturnType<typeof newAccounts>>,
  kill: (engine: ChainEngine, sent: Promise<unknown>) => Promise<unknown>,
): Promise<string> {
  const engine = await startProcess()
  let disk = ''
  let stored: () => void = () => undefined
  const isStored = new Promise<void>((resolve) => (stored = resolve))
  const sent = engine.transactions
    .send(await settingsOf(engine, accounts), {
      onSigned: (payments) => {
        disk = toDisk(payments)
        stored()
      },
    })
    .catch((error: unknown) => error)
  await isStored
  await kill(engine, sent)
  await engine.dispose()
  return disk
}

/** Mines, and expects the recipient to have received the amount `times`. */
async function expectPaid(to: DevnodeAccount, times: number): Promise<void> {
  await devnode.mine(4)
  const engine = await startProcess()
  const { balance } = await engine.rpc.getBalanceByAddress(to.address)
  expect(balance).toBe(AMOUNT * BigInt(times))
}

async function restoreAndSubmit(disk: string): Promise<{ engine: ChainEngine; outcome: unknown; id: string }> {
  const engine = await startProcess()
  const payment = await engine.transactions.restore(fromDisk(disk))
  const outcome: unknown = await payment.submit().catch((error: unknown) => error)
  return { engine, outcome, id: payment.id }
}

describe('a payment whose process is killed, restored by another one, is paid exactly once', () => {
  it('before its submission', async () => {
    const accounts = await newAccounts()
    const engine = await startProcess()
    let disk = ''
    const sent: unknown = await engine.transactions
      .send(await settingsOf(engine, accounts), {
        onSigned: async (payments) => {
          disk = toDisk(payments)
          await engine.dispose()
        },
      })
      .catch((error: unknown) => error)
    expect(sent).toBeInstanceOf(Error)
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    await expectPaid(accounts.to, 1)
  })

  it('after its submission, with the reply lost', async () => {
    const accounts = await newAccounts()
    devnode.faults.dropReply({ method: 'submitTransaction' })
    const disk = await sendAndKill(accounts, async () => {
      const observer = await startProcess()
      await expect.poll(() => mempoolId(observer, accounts)).toBeDefined()
    })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    await expectPaid(accounts.to, 1)
  })

  it('after its acceptance', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, async (_, sent) => {
      await sent
      await devnode.mine(3)
    })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    await expectPaid(accounts.to, 1)
  })

  it('after its outputs were spent again', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, async (engine, sent) => {
      await sent
      await devnode.mine(3)
      const { from } = accounts
      const entries = await engine.rpc.getUtxosByAddresses([from.address])
      await engine.transactions.sweep({ entries, to: from.address, privateKeys: [from.privateKeyHex] })
      await devnode.mine(3)
    })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    await expectPaid(accounts.to, 1)
  })

  it('after it was replaced in the mempool', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, async (engine, sent) => {
      await sent
      const settings = await settingsOf(engine, accounts)
      await engine.transactions.send({ ...settings, feeRate: 500, replaces: await mempoolId(engine, accounts) })
    })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toMatchObject({ code: 'remote', reason: 'double-spend', outcome: 'unknown', transactionId: id })
    await expectPaid(accounts.to, 1)
  })

  it('after its replacement was accepted', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, async (engine, sent) => {
      await sent
      const settings = await settingsOf(engine, accounts)
      await engine.transactions.send({ ...settings, feeRate: 500, replaces: await mempoolId(engine, accounts) })
      await devnode.mine(3)
    })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toMatchObject({ code: 'remote', reason: 'orphan', outcome: 'unknown', transactionId: id })
    await expectPaid(accounts.to, 1)
  })

  it('after a reorg reverted it', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, async (_, sent) => {
      await sent
      await devnode.mine(3)
    })
    await devnode.reorg({ depth: 5 })
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    await expectPaid(accounts.to, 1)
  })
})

describe('a restored payment', () => {
  it('reserves its inputs, so that a second payment cannot spend them', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, (engine) => engine.dispose())
    const engine = await startProcess()
    const payment = await engine.transactions.restore(fromDisk(disk))
    const state$ = engine.utxos([accounts.from.address]).state$.pipe(filter(({ freshness }) => freshness === 'fresh'))
    expect((await firstValueFrom(state$)).matureEntries).toEqual([])
    await expect(engine.transactions.send(await settingsOf(engine, accounts))).rejects.toMatchObject({
      code: 'insufficient-funds',
    })
    await payment.submit()
    await expectPaid(accounts.to, 1)
  })

  it('is sped up with `replaces`', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, (_, sent) => sent)
    const { engine, id } = await restoreAndSubmit(disk)
    const settings = await settingsOf(engine, accounts)
    const faster = await engine.transactions.send({ ...settings, replaces: id })
    expect(faster.transactionIds).not.toContain(id)
    await expectPaid(accounts.to, 1)
  })

  it('is cancelled', async () => {
    const accounts = await newAccounts()
    const disk = await sendAndKill(accounts, (_, sent) => sent)
    const { engine, id } = await restoreAndSubmit(disk)
    const { outputs: _, ...settings } = await settingsOf(engine, accounts)
    await engine.transactions.cancel(id, settings)
    await expectPaid(accounts.to, 0)
  })

  it('that is itself a replacement is submitted as one', async () => {
    const accounts = await newAccounts()
    const engine = await startProcess()
    const { transactionIds } = await engine.transactions.send(await settingsOf(engine, accounts))
    let disk = ''
    const settings = { ...(await settingsOf(engine, accounts)), replaces: transactionIds[0], feeRate: 500 }
    const store = async (payments: readonly SerializedTransaction[]): Promise<void> => {
      disk = toDisk(payments)
      await engine.dispose()
    }
    await engine.transactions.send(settings, { onSigned: store }).catch(() => undefined)
    const { outcome, id } = await restoreAndSubmit(disk)
    expect(outcome).toBe(id)
    expect(id).not.toBe(transactionIds[0])
    await expectPaid(accounts.to, 1)
  })
})

/** The id of the account's payment in the mempool. */
async function mempoolId(engine: ChainEngine, { from }: { from: DevnodeAccount }): Promise<string | undefined> {
  const [entries] = await engine.rpc.getMempoolEntriesByAddresses([from.address])
  return entries?.sending[0]?.transaction.id
}

describe('a payment whose node loses its mempool in a restart', () => {
  it('is submitted again by the same PendingTx, until the chain has it', async () => {
    const accounts = await newAccounts()
    const engine = await startProcess()
    const [payment] = (await engine.transactions.create(await settingsOf(engine, accounts))).transactions
    if (payment === undefined) throw new Error('no transaction')
    payment.sign([accounts.from.privateKeyHex])
    await payment.submit()
    await payment.submit()
    expect([payment.known, devnode.expected.mempool()]).toEqual(['mempool', [payment.id]])

    const isReconnecting = firstValueFrom(
      engine.connection.state$.pipe(filter(({ status }) => status === 'reconnecting')),
    )
    await devnode.restart()
    await isReconnecting
    await firstValueFrom(engine.connection.state$.pipe(filter(({ status }) => status === 'connected')))
    expect(devnode.expected.mempool()).toEqual([])
    await payment.submit()
    expect([payment.known, devnode.expected.mempool()]).toEqual(['new', [payment.id]])
    await expectPaid(accounts.to, 1)
    await payment.submit()
    expect(payment.known).toBe('accepted')
    await expectPaid(accounts.to, 1)
  })
})
