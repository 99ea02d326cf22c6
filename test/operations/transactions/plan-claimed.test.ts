import { expect, it } from 'vitest'
import type { InsufficientFundsError } from '../../../src/errors/payment-errors.js'
import type {
  ClaimResult,
  ClaimedPlan,
  PaymentClaims,
} from '../../../src/operations/transactions/transaction-operations.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { light } from '../../../src/sdk/light/light.js'
import { acceptingNode, large, small } from './accepting-node.js'
import { failure } from './failure.js'

const sdk = await light.loadPort()

/** Claims with these results, then with the last one again and again. */
function scriptedClaims(...results: ClaimResult[]) {
  const calls: { readonly plan: ClaimedPlan; readonly state: string }[] = []
  const claims: PaymentClaims = {
    claim: (plan, state) => {
      calls.push({ plan, state })
      return Promise.resolve((results.length > 1 ? results.shift() : results[0]) ?? 'claimed')
    },
    refresh: () => Promise.resolve(),
  }
  return { claims, calls }
}

it.each([
  ['one transaction', small],
  ['several transactions', large],
])('rejects a payment of %s after five plans, and names what it requires', async (_, settings) => {
  const { deps, accepted } = acceptingNode(sdk)
  const { claims, calls } = scriptedClaims('taken')
  const transactions = createTransactions({ ...deps, claims })
  const { fees, finalAmount } = await transactions.estimate(settings)
  const error = (await failure(transactions.send(settings))) as InsufficientFundsError
  expect(error).toMatchObject({ code: 'insufficient-funds', outcome: 'unsent', required: fees + finalAmount! })
  const spent = calls[0]!.plan.payments.flatMap(({ inputs }) => inputs)
  const ids = new Set(calls[0]!.plan.payments.map(({ id }) => id))
  const fromOthers = spent.filter(({ outpoint }) => !ids.has(outpoint.transactionId))
  expect(error.reserved).toBe(fromOthers.reduce((sum, { amount = 0n }) => sum + amount, 0n))
  expect(calls).toHaveLength(5)
  expect(accepted).toEqual([])
  expect(deps.reserved.size).toBe(0)
})

it('claims a plan whole before it is signed, and each transaction of it as sent before its first byte', async () => {
  const { deps, accepted } = acceptingNode(sdk)
  const { claims, calls } = scriptedClaims('taken', 'claimed')
  const { transactionIds } = await createTransactions({ ...deps, claims }).send(large)
  expect(accepted).toHaveLength(transactionIds.length)
  const ids = calls.map(({ plan, state }) => [state, plan.payments.map(({ id }) => id)])
  expect(ids).toEqual([
    ['planned', transactionIds],
    ['planned', transactionIds],
    ...transactionIds.map((id) => ['sent', [id]]),
  ])
})

it('claims a plan as sent before its signed transactions are stored', async () => {
  const { deps } = acceptingNode(sdk)
  const { claims, calls } = scriptedClaims('claimed')
  let before: readonly string[] = []
  await createTransactions({ ...deps, claims }).send(small, {
    onSigned: () => void (before = calls.map((c) => c.state)),
  })
  expect(before).toEqual(['planned', 'sent'])
})

it('hands nothing to onSigned, and sends nothing, where another tab has claimed a UTXO since it was planned', async () => {
  const { deps, accepted } = acceptingNode(sdk)
  const { claims } = scriptedClaims('claimed', 'taken')
  let stored = 0
  const sent = createTransactions({ ...deps, claims }).send(small, { onSigned: () => void stored++ })
  expect(await failure(sent)).toMatchObject({ code: 'aborted', outcome: 'unsent' })
  expect([stored, accepted.length, deps.reserved.size]).toEqual([0, 0, 0])
})
