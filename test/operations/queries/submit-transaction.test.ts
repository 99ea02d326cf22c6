import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { NATIVE_SUBNETWORK, type Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { createQueries } from '../../../src/operations/queries/queries.js'

const transaction: Transaction = {
  version: 0,
  inputs: [],
  outputs: [],
  lockTime: 0n,
  subnetworkId: NATIVE_SUBNETWORK,
  gas: 0n,
  payload: '',
  mass: 0n,
}

/** The outcome of both submission queries at a node that rejects with `message`. */
const outcomesWith = (message: string, code: 'remote' | 'timeout' = 'remote'): Promise<unknown[]> => {
  const call = (method: string): Promise<never> =>
    Promise.reject(new ChainRpcError(method, new Error(message), { code }))
  const { submitTransaction, submitTransactionReplacement } = createQueries({ call, network: () => 'simnet' })
  const attempts = [submitTransaction(transaction), submitTransactionReplacement(transaction)]
  return Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)))
}

describe('submitTransaction and submitTransactionReplacement', () => {
  it.each([
    ['is an orphan where orphan is disallowed', 'orphan'],
    ['output o already spent by transaction t in the mempool', 'double-spend'],
    ['has 5 fees which is under the required amount of 7', 'fee-too-low'],
    ['is already in the orphan pool', 'duplicate'],
    ['in words that no version had', 'other'],
  ])('reject with the reason of the node: %s', async (words, reason) => {
    const expected = { code: 'remote', reason, hint: expect.any(String) as string }
    const [submitted, replaced] = await outcomesWith(`Rejected transaction ab: transaction ab ${words}`)
    expect(submitted).toMatchObject({ ...expected, method: 'submitTransaction' })
    expect(replaced).toMatchObject({ ...expected, method: 'submitTransactionReplacement' })
  })

  it.each(['is already in the mempool', 'was already accepted by the consensus'])(
    'resolve with the id of a transaction that %s',
    async (words) => {
      const id = transactionId(transaction)
      expect(await outcomesWith(`Rejected transaction ab: transaction ab ${words}`)).toEqual([id, id])
    },
  )

  it('have no reason where the call failed otherwise', async () => {
    const [submitted] = await outcomesWith('No reply', 'timeout')
    expect(submitted).toMatchObject({ code: 'timeout', reason: undefined })
  })
})
