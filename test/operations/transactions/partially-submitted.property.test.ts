import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { isPartiallySubmitted, type PartiallySubmittedError } from '../../../src/errors/payment-errors.js'
import { outcomeOf } from '../../../src/errors/with-outcome.js'
import { transactionId as idOf } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { KAS, bob, utxos } from './accounts.js'
import { small } from './accepting-node.js'
import {
  createScriptedDependencies,
  connectionLost,
  remoteRejection,
  type ScriptedDependencies,
} from './scripted-dependencies.js'
import { runs } from '../../full.js'

/** Three transactions: two compound transactions and the payment. */
const payment = {
  ...small,
  entries: utxos(Array.from({ length: 180 }, () => KAS)),
  outputs: [{ address: bob.address, amount: 175n * KAS }],
}

/** Outcomes of a submission: the request or the reply may be lost. */
const OUTCOMES = ['accepted', 'rejected', 'request lost', 'reply lost', 'not connected'] as const
type Outcome = (typeof OUTCOMES)[number]

let sdk: SdkPort

beforeAll(async () => {
  const real = await loadSdk()
  // signatures are not verified here
  sdk = { ...real, signHashes: (hashes) => hashes.map(() => `41${'00'.repeat(64)}01`) }
})

/** A node with scripted outcomes of submissions, then accepting all; a lookup fails where `lookups` has false. */
function faultyNode(outcomes: readonly Outcome[], lookups: readonly boolean[]) {
  const known = new Set<string>()
  const counts = { sent: 0, lookups: 0 }
  const deps: ScriptedDependencies = createScriptedDependencies(sdk, {
    submitTransaction: ({ transaction }) => ({
      transactionId: applyOutcome(transaction, outcomes[counts.sent++] ?? 'accepted', known),
    }),
    getMempoolEntry: ({ transactionId }) => {
      if (lookups[counts.lookups++] === false) return connectionLost('getMempoolEntry')()
      if (!known.has(transactionId))
        return remoteRejection('getMempoolEntry', `Transaction ${transactionId} not found`)()
      return { mempoolEntry: { fee: 1n, isOrphan: false, transaction: EMPTY } }
    },
    getVirtualChainFromBlock: () => ({
      removedChainBlockHashes: [],
      addedChainBlockHashes: [],
      acceptedTransactionIds: [],
    }),
    getBlocks: () => ({ blockHashes: [], blocks: [] }),
  })
  return { deps, known }
}

/** Applies an outcome: returns the id of an accepted transaction, or throws. */
function applyOutcome(transaction: Transaction, outcome: Outcome, known: Set<string>): string {
  const id = idOf(transaction)
  if (outcome === 'not connected')
    throw new ChainRpcError('submitTransaction', new Error('No connection'), { code: 'not-connected' })
  if (outcome === 'request lost') connectionLost('submitTransaction')()
  if (known.has(id)) remoteRejection('submitTransaction', `transaction ${id} is already in the mempool`)()
  if (outcome === 'rejected') remoteRejection('submitTransaction', 'transaction could not be added to the mempool')()
  known.add(id)
  if (outcome === 'reply lost') connectionLost('submitTransaction')()
  return id
}

const EMPTY = { version: 0, inputs: [], outputs: [], lockTime: 0n, subnetworkId: '', gas: 0n, payload: '', mass: 0n }

/** The node has all submitted transactions, and of the others at most the first, whose outcome is then unknown. */
function expectConsistent(
  { submitted, unsubmitted: [first = '', ...remaining], cause, outcome }: PartiallySubmittedError,
  known: ReadonlySet<string>,
) {
  expect(submitted.filter((id) => !known.has(id))).toEqual([])
  expect(remaining.filter((id) => known.has(id))).toEqual([])
  if (known.has(first)) expect(outcomeOf(cause)).toBe('unknown')
  expect(outcome).toBe(remaining.length > 0 ? 'unsent' : outcomeOf(cause))
}

it('a PartiallySubmittedError matches the node’s state, and resume() completes the payment', async () => {
  const outcomes = fc.array(fc.constantFrom(...OUTCOMES), { maxLength: 12 })
  const lookups = fc.array(fc.boolean(), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(outcomes, lookups, async (submissionOutcomes, lookupOutcomes) => {
      const { deps, known } = faultyNode(submissionOutcomes, lookupOutcomes)
      let attempt: Promise<readonly string[]> = createTransactions(deps)
        .send(payment)
        .then(({ transactionIds }) => transactionIds)
      for (;;) {
        const result = await attempt.catch((error: unknown) => error)
        if (Array.isArray(result)) break
        if (!isPartiallySubmitted(result)) throw result
        expectConsistent(result, known)
        attempt = result.resume()
      }
      expect([...(await attempt)]).toEqual([...known])
      expect(known.size).toBe(3)
    }),
    { numRuns: runs(25, 600) },
  )
})
