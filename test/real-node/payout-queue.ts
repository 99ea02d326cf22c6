import { expect } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import { createPayouts, type Payouts } from '../../src/payouts/create-payouts.js'
import type { PayoutsOptions } from '../../src/payouts/options.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import { newAccount } from '../contract/node/support/payment.js'
import { PREFIX, type Kaspad } from './kaspad.js'

export const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_060
export const CONFIRMATIONS = 5

type Account = ReturnType<typeof newAccount>

export const createEngine = (...urls: readonly string[]): ChainEngine =>
  createChainEngine({
    network: 'simnet',
    urls,
    sdk: light,
    requestTimeout: 5_000,
    reconnect: { maxRetries: Infinity, baseDelay: 50, maxDelay: 500 },
  })

/** Mines UTXOs for accounts that pay; returns what takes one of them, which no other test uses. */
export async function fundAccounts(count: number, node: Kaspad): Promise<() => Account> {
  const accounts = Array.from({ length: count }, () => newAccount(PREFIX))
  for (const { address } of accounts) await node.mine(12, address)
  await node.mine(HISTORY, miner.address)
  return () => {
    const account = accounts.pop()
    if (account === undefined) throw new Error('No account is left')
    return account
  }
}

const miner = newAccount(PREFIX)

/** A new address for each id. */
export function createRecipients(): (id: number) => string {
  const recipients = new Map<number, string>()
  return (id) => {
    const known = recipients.get(id) ?? newAccount(PREFIX).address
    recipients.set(id, known)
    return known
  }
}
/** The recipients of the payouts of all test queues. */
export const recipient = createRecipients()
let nextId = 0

/** Outputs that the chain of a node has for each address: recipients never spend. */
export async function timesPaid(addresses: readonly string[], by: Kaspad): Promise<readonly number[]> {
  const { entries } = await by.client().call('getUtxosByAddresses', { addresses: [...addresses] })
  return addresses.map((address) => entries.filter((entry) => entry.address === address).length)
}

/** A template is kept for a second: slower than that, each block has what was submitted before it. */
export async function mine(by: Kaspad): Promise<void> {
  await new Promise((wait) => setTimeout(wait, 150))
  await by.mine(1, miner.address)
}

/** Mines blocks without payments of later than a second ago. */
export const mineMany = (count: number, by: Kaspad): Promise<void> => by.mine(count, miner.address)

export interface TestQueue {
  readonly payouts: Payouts
  readonly pay: (amount?: bigint) => Promise<number>
  readonly stateOf: (id: number) => Promise<string | undefined>
  readonly end: () => Promise<void>
}

export function startQueue(
  account: Account,
  journal: PayoutJournal,
  nodes: readonly { readonly url: string }[],
  options: Partial<Omit<PayoutsOptions, 'engine' | 'journal' | 'privateKeys' | 'signer'>> = {},
): TestQueue {
  const own = createEngine(...nodes.map(({ url }) => url))
  const payouts = createPayouts({
    engine: own,
    journal,
    addresses: [account.address],
    privateKeys: [account.privateKey],
    minConfirmations: CONFIRMATIONS,
    submitInterval: 500,
    batch: { maxWait: 50, splitTo: 2 },
    ...options,
  })
  const stopped = new AbortController()
  own.connection.connect().catch(() => undefined) // it is repeated
  const running = payouts.run({ signal: stopped.signal })
  return {
    payouts,
    async pay(amount = KAS) {
      const id = nextId++
      await payouts.pay(String(id), { address: recipient(id), amount })
      return id
    },
    stateOf: async (id) => (await payouts.get(String(id)))?.state,
    async end() {
      stopped.abort()
      await running
      await own.dispose()
    },
  }
}

export const until = (queue: TestQueue, ids: readonly number[], states: readonly string[], by: Kaspad) =>
  expect
    .poll(
      async () => {
        await mine(by)
        return Promise.all(ids.map(queue.stateOf))
      },
      { timeout: 120_000 },
    )
    .toEqual(states)

export const settled = (queue: TestQueue, ids: readonly number[], by: Kaspad) =>
  until(
    queue,
    ids,
    ids.map(() => 'settled'),
    by,
  )
