import { beforeAll, describe, expect, it } from 'vitest'
import { isPartiallySubmitted, type PartiallySubmittedError } from '../../../src/errors/payment-errors.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { UNACCEPTED, large, acceptingNode } from './accepting-node.js'
import { remoteRejection } from './scripted-dependencies.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

async function interruption(attempt: Promise<unknown>): Promise<PartiallySubmittedError> {
  const error = await failure(attempt)
  if (isPartiallySubmitted(error)) return error
  throw new Error(`no PartiallySubmittedError: ${String(error)}`)
}

describe('a partially submitted payment', () => {
  const rejection = remoteRejection(
    'submitTransaction',
    'Rejected transaction ab: transaction ab is not standard: transaction has 1 fees which is under the required amount of 2',
  )

  it('lists submitted and unsubmitted transactions with the cause, and keeps the UTXOs of an unknown outcome', async () => {
    const { deps, accepted } = acceptingNode(sdk, { 1: rejection })
    const error = await interruption(createTransactions(deps).send(large))
    expect(error.message).toBe(
      'The payment stopped after 1 of 2 transactions: RPC method "submitTransaction" failed: ' +
        'Rejected transaction ab: transaction ab is not standard: transaction has 1 fees which is under the required amount of 2',
    )
    expect(error.submitted).toEqual(accepted.map(transactionId))
    expect(error.unsubmitted).toHaveLength(1)
    expect(error.cause).toMatchObject({ reason: 'fee-too-low', outcome: 'unknown' })
    expect(error).toMatchObject({ outcome: 'unknown', transactionId: error.unsubmitted[0] })
    expect(deps.reserved.size).toBe(97) // with the output of the first transaction
  })

  it('resumes where it stopped, and sends nothing twice', async () => {
    const { deps, accepted } = acceptingNode(sdk, { 1: rejection, 2: rejection }, UNACCEPTED)
    const first = await interruption(createTransactions(deps).send(large))
    const second = await interruption(first.resume())
    expect(second.submitted).toEqual(first.submitted)
    const ids = await second.resume()
    expect(ids).toEqual([...first.submitted, ...first.unsubmitted])
    expect(accepted.map(transactionId)).toEqual(ids)
    expect(await second.resume()).toEqual(ids)
    expect(accepted).toHaveLength(2)
    expect(deps.reserved.size).toBe(97) // with the output of the first transaction
  })

  it('stops before the first transaction where that is refused: the last one, which pays, is unsent', async () => {
    const { deps } = acceptingNode(sdk, { 0: rejection })
    const { submitted, unsubmitted, outcome } = await interruption(createTransactions(deps).send(large))
    expect([submitted.length, unsubmitted.length, outcome]).toEqual([0, 2, 'unsent'])
    expect(deps.reserved.size).toBe(88)
  })
})
