import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ChainRpcError, isUnsettled } from '../../../src/errors/rpc-error.js'
import { isInterrupted, type InterruptedError } from '../../../src/errors/interrupted.js'
import { transactionId as idOf } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { KAS, bob, coins } from './people.js'
import { small } from './taking-node.js'
import { createWorld, losing, refusing, type ScriptedWorld } from './world.js'

/** Three transactions: two that move coins together, and the payment. */
const payment = {
  ...small,
  entries: coins(Array.from({ length: 180 }, () => KAS)),
  outputs: [{ address: bob.address, amount: 175n * KAS }],
}

/** What befalls a submission: the answer, or the request itself, may be lost on the way. */
const FATES = ['taken', 'refused', 'request lost', 'answer lost', 'not connected'] as const
type Fate = (typeof FATES)[number]

let sdk: SdkPort

beforeAll(async () => {
  const real = await loadSdk()
  sdk = { ...real, signHashes: (hashes) => hashes.map(() => `41${'00'.repeat(64)}01`) } // nobody verifies here
})

/** A node that takes what it is sent as `fates` have it, then everything; looks for a transaction fail where `looks` say so. */
function unluckyNode(fates: readonly Fate[], looks: readonly boolean[]) {
  const has = new Set<string>()
  const counts = { sent: 0, looked: 0 }
  const world: ScriptedWorld = createWorld(sdk, {
    submitTransaction: ({ transaction }) => ({
      transactionId: suffer(transaction, fates[counts.sent++] ?? 'taken', has),
    }),
    getMempoolEntry: ({ transactionId }) => {
      if (looks[counts.looked++] === false) return losing('getMempoolEntry')()
      if (!has.has(transactionId)) return refusing('getMempoolEntry', `Transaction ${transactionId} not found`)()
      return { mempoolEntry: { fee: 1n, isOrphan: false, transaction: EMPTY } }
    },
    getVirtualChainFromBlock: () => ({
      removedChainBlockHashes: [],
      addedChainBlockHashes: [],
      acceptedTransactionIds: [],
    }),
    getBlocks: () => ({ blockHashes: [], blocks: [] }),
  })
  return { world, has }
}

/** Hands a transaction over; resolves to its id if it is lucky. */
function suffer(transaction: Transaction, fate: Fate, has: Set<string>): string {
  const id = idOf(transaction)
  if (fate === 'not connected')
    throw new ChainRpcError('submitTransaction', new Error('No connection'), { code: 'not-connected' })
  if (fate === 'request lost') losing('submitTransaction')()
  if (has.has(id)) refusing('submitTransaction', `transaction ${id} is already in the mempool`)()
  if (fate === 'refused') refusing('submitTransaction', 'transaction could not be added to the mempool')()
  has.add(id)
  if (fate === 'answer lost') losing('submitTransaction')()
  return id
}

const EMPTY = { version: 0, inputs: [], outputs: [], lockTime: 0n, subnetworkId: '', gas: 0n, payload: '', mass: 0n }

/** What an interruption tells is so: what went out is there, and of the rest at most the first, which is then said to be unknown. */
function expectTruth(
  { submitted, unsubmitted: [first = '', ...rest], cause }: InterruptedError,
  has: ReadonlySet<string>,
) {
  expect(submitted.filter((id) => !has.has(id))).toEqual([])
  expect(rest.filter((id) => has.has(id))).toEqual([])
  if (has.has(first)) expect(isUnsettled(cause)).toBe(true)
}

it('a payment of several tells the truth wherever it stops, and is whole once it is resumed to its end', async () => {
  const fates = fc.array(fc.constantFrom(...FATES), { maxLength: 12 })
  const looks = fc.array(fc.boolean(), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(fates, looks, async (unluckily, dimly) => {
      const { world, has } = unluckyNode(unluckily, dimly)
      let attempt: Promise<readonly string[]> = createTransactions(world)
        .send(payment)
        .then(({ transactionIds }) => transactionIds)
      for (;;) {
        const outcome = await attempt.catch((error: unknown) => error)
        if (Array.isArray(outcome)) break
        if (!isInterrupted(outcome)) throw outcome
        expectTruth(outcome, has)
        attempt = outcome.resume()
      }
      expect([...(await attempt)]).toEqual([...has])
      expect(has.size).toBe(3)
    }),
    { numRuns: 60 },
  )
})
