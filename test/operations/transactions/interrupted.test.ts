import { beforeAll, describe, expect, it } from 'vitest'
import { isInterrupted, type InterruptedError } from '../../../src/errors/interrupted.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { loadSdk } from '../../../src/sdk/wasm/load.js'
import { failure } from './failure.js'
import { large, takingNode } from './taking-node.js'
import { refusing } from './world.js'

let sdk: SdkPort

beforeAll(async () => {
  sdk = await loadSdk()
})

async function interruption(attempt: Promise<unknown>): Promise<InterruptedError> {
  const error = await failure(attempt)
  if (isInterrupted(error)) return error
  throw new Error(`no interruption: ${String(error)}`)
}

describe('a payment that stops midway', () => {
  const refusal = refusing(
    'submitTransaction',
    'Rejected transaction ab: transaction ab is not standard: transaction has 1 fees which is under the required amount of 2',
  )

  it('tells what went out, what did not and why, and gives back what it will not spend', async () => {
    const { world, taken } = takingNode(sdk, { 1: refusal })
    const error = await interruption(createTransactions(world).send(large))
    expect(error.message).toBe('The payment stopped after 1 of 2 transactions')
    expect(error.submitted).toEqual(taken.map(transactionId))
    expect(error.unsubmitted).toHaveLength(1)
    expect(error.cause).toMatchObject({ reason: 'fee-too-low' })
    expect(world.held.size).toBe(88)
  })

  it('goes on where it stopped, and sends nothing twice', async () => {
    const { world, taken } = takingNode(sdk, { 1: refusal, 2: refusal })
    const first = await interruption(createTransactions(world).send(large))
    const second = await interruption(first.resume())
    expect(second.submitted).toEqual(first.submitted)
    const ids = await second.resume()
    expect(ids).toEqual([...first.submitted, ...first.unsubmitted])
    expect(taken.map(transactionId)).toEqual(ids)
    expect(await second.resume()).toEqual(ids)
    expect(taken).toHaveLength(2)
    expect(world.held.size).toBe(96)
  })

  it('stops before the first, if the first is refused', async () => {
    const { world } = takingNode(sdk, { 0: refusal })
    const { submitted, unsubmitted } = await interruption(createTransactions(world).send(large))
    expect([submitted.length, unsubmitted.length]).toEqual([0, 2])
    expect(world.held.size).toBe(0)
  })
})
