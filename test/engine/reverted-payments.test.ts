import { filter, firstValueFrom } from 'rxjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type DevnodeAccount } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { TransactionPhase } from '../../src/streams/status/status.js'
import type { UtxoState } from '../../src/streams/utxos/view/state.js'
import { eachFile } from '../lifetimes.js'

const KAS = 100_000_000n

let next = 0

const devnode = eachFile(() => createDevnode({ blockInterval: 0, accounts: 6, balance: 0n }))
const engine = eachFile(() => createChainEngine({ network: 'simnet', url: devnode.urls.borsh }))
beforeAll(async () => {
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
})

/** A new account with UTXOs of 50 and 20 KAS, and its tracker. */
async function setup() {
  const account = devnode.accounts[next++]
  if (account === undefined) throw new Error('Make more accounts')
  await devnode.fund(account.address, 50n * KAS)
  await devnode.fund(account.address, 20n * KAS)
  const states: UtxoState[] = []
  const tracker = engine.utxos([account.address])
  const subscription = tracker.state$.subscribe((state) => states.push(state))
  await tracker.ready()
  await devnode.mine(10)
  const height = devnode.expected.chain().length
  return {
    account,
    /** The number of chain blocks since the set-up: a reorg of that depth reverts every payment of the test. */
    depth: () => devnode.expected.chain().length - height,
    spendable: () => states.at(-1)?.matureEntries.map(({ amount }) => amount / KAS) ?? [],
    send: (amount: bigint) => send(account, states.at(-1), amount),
    unsubscribe: () => subscription.unsubscribe(),
  }
}

const send = async (from: DevnodeAccount, state: UtxoState | undefined, amount: bigint): Promise<string> => {
  const { transactionIds } = await engine.transactions.send({
    entries: state?.entries ?? [],
    outputs: [{ address: devnode.accounts.at(-1)?.address ?? '', amount }],
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  return transactionIds[0] ?? ''
}

/** Follows a payment; its phases so far, and its final error. */
function follow(id: string) {
  const phases: TransactionPhase[] = []
  const errors: string[] = []
  engine.transactionStatus$(id, { confirmations: 30 }).subscribe(({ status, error }) => {
    if (phases.at(-1) !== status) phases.push(status)
    if (error !== null) errors.push(error.message)
  })
  return { phases, errors }
}

/** Mines the blocks that include and accept a payment, and waits for its status. */
async function accept(phases: readonly TransactionPhase[]): Promise<void> {
  await devnode.mine(3)
  await expect.poll(() => phases.at(-1)).toBe('accepted')
}

describe('a payment that a reorg reverts', () => {
  it('is conflicting where the new branch spends its inputs, then double-spent', async () => {
    const { depth, send: pay, spendable, unsubscribe } = await setup()
    const id = await pay(60n * KAS)
    const { phases, errors } = follow(id)
    await accept(phases)
    await devnode.reorg({ depth: depth(), doubleSpend: [id] })
    await expect.poll(() => phases.at(-1)).toBe('conflicting')
    expect(errors).toEqual([])
    await devnode.mine(35)
    await expect.poll(() => phases.at(-1)).toBe('double-spent')
    expect(phases.slice(phases.indexOf('accepted'))).toEqual(['accepted', 'mempool', 'conflicting', 'double-spent'])
    expect(errors).toEqual(['A reorg has reverted the transaction, and another one has spent its UTXOs'])
    await expect.poll(spendable).toEqual([69n]) // the double spend has paid 70 KAS back
    unsubscribe()
  })

  it('keeps its inputs from a second payment, which would be the same transaction', async () => {
    const { depth, send: pay, spendable, unsubscribe } = await setup()
    const id = await pay(KAS)
    const { phases } = follow(id)
    await accept(phases)
    await expect.poll(() => spendable().length).toBe(2)
    await devnode.reorg({ depth: depth(), drop: [id] })
    await expect.poll(() => phases.at(-1)).toBe('mempool')
    await expect.poll(spendable).toEqual([50n]) // not the 20 KAS that it spends
    await expect(pay(60n * KAS)).rejects.toMatchObject({ code: 'insufficient-funds', reserved: 20n * KAS })
    expect(await pay(KAS)).not.toBe(id)
    unsubscribe()
  })

  it('counts its change as unconfirmed again until it is accepted again', async () => {
    const { account, depth, send: pay, spendable, unsubscribe } = await setup()
    const totals: bigint[] = []
    const subscription = engine.balances$([account.address]).subscribe(({ balance }) => totals.push(balance.total))
    await firstValueFrom(engine.balances$([account.address]).pipe(filter(({ freshness }) => freshness === 'fresh')))
    const id = await pay(KAS)
    const { phases } = follow(id)
    await accept(phases)
    const before = totals.length
    await devnode.reorg({ depth: depth() })
    await devnode.mine(2)
    await expect.poll(() => `${phases.at(-1)} ${spendable().length}`).toBe('accepted 2')
    expect(new Set(totals.slice(before - 1)).size).toBe(1)
    subscription.unsubscribe()
    unsubscribe()
  })
})
