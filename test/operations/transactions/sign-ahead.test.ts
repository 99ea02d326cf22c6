import { expect, it } from 'vitest'
import { light } from '../../../src/sdk/light/light.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { acceptingNode, large } from './accepting-node.js'
import { failure } from './failure.js'
import { signaturesVerify } from './verify.js'

const sdk = await light.loadPort()

it('send() signs all inputs of a plan in one call of signHashesAsync, with valid signatures', async () => {
  const calls: number[] = []
  const { deps, accepted } = acceptingNode({
    ...sdk,
    signHashes: () => {
      throw new Error('signHashes blocks')
    },
    signHashesAsync: (requests) => {
      calls.push(requests.reduce((sum, { hashes }) => sum + hashes.length, 0))
      return sdk.signHashesAsync?.(requests) ?? Promise.reject(new Error('light signs in slices'))
    },
  })
  await createTransactions(deps).send(large)
  expect(calls).toEqual([88 + 9])
  const [first] = accepted
  const spent = first!.inputs.map(({ previousOutpoint }) =>
    large.entries.find(({ outpoint }) => outpoint.transactionId === previousOutpoint.transactionId)!,
  )
  expect(signaturesVerify(first!, spent)).toEqual(Array.from({ length: 88 }, () => true))
})

it('submits nothing and releases the UTXOs where signing fails', async () => {
  const { deps, accepted } = acceptingNode({ ...sdk, signHashesAsync: () => Promise.reject(new Error('no')) })
  expect(await failure(createTransactions(deps).send(large))).toMatchObject({ code: 'failed', operation: 'sign' })
  expect(accepted).toEqual([])
  expect(deps.reserved.size).toBe(0)
})
