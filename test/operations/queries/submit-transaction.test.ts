import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { Transaction } from '../../../src/model/transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { Call } from '../../../src/operations/queries/call.js'
import { UNKNOWN_OUTCOME_HINT } from '../../../src/model/submission-reply.js'
import { createSentIds } from '../../../src/model/bounded-collections.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import { RELAYABLE } from '../../relayable-transaction.js'

const transaction = RELAYABLE
const id = transactionId(transaction)

type Reply = (method: string) => unknown

const failing =
  (message: string, code: 'remote' | 'timeout' | 'not-connected' = 'remote'): Reply =>
  (method) => {
    throw new ChainRpcError(method, new Error(message), { code })
  }

/** The outcome of both submission queries at a node with these replies; a mempool has nothing by default. */
async function outcomesWith(submission: Reply, replies: Readonly<Record<string, Reply>> = {}): Promise<unknown[]> {
  const table: Readonly<Record<string, Reply>> = {
    submitTransaction: submission,
    submitTransactionReplacement: submission,
    getMempoolEntry: failing('Transaction not found'),
    getUtxosByAddresses: () => ({ entries: [] }),
    ...replies,
  }
  const call = (async (method: string) => table[method]?.(method)) as Call
  const { submitTransaction, submitTransactionReplacement } = createQueries({
    call,
    network: () => 'simnet',
    sentIds: createSentIds(),
  })
  const attempts = [submitTransaction(transaction), submitTransactionReplacement(transaction)]
  return Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)))
}

const refusing = (words: string): Reply => failing(`Rejected transaction ab: transaction ab ${words}`)

describe('submitTransaction and submitTransactionReplacement', () => {
  it.each([
    ['is an orphan where orphan is disallowed', 'orphan'],
    ['output o already spent by transaction t in the mempool', 'double-spend'],
    ['has 5 fees which is under the required amount of 7', 'fee-too-low'],
    ['is already in the orphan pool', 'duplicate'],
    ['was already accepted by the consensus', 'duplicate'], // in a block that a reorg left: no look-up finds it
    ['in words that no version had', 'other'],
  ])('reject with the reason of the node, which proves nothing: %s', async (words, reason) => {
    const expected = { code: 'remote', reason, outcome: 'unknown', transactionId: id }
    const [submitted, replaced] = await outcomesWith(refusing(words))
    expect(submitted).toMatchObject({ ...expected, method: 'submitTransaction' })
    expect(replaced).toMatchObject({ ...expected, method: 'submitTransactionReplacement' })
  })

  it('resolve with the id of a transaction that is in the mempool', async () => {
    expect(await outcomesWith(refusing('is already in the mempool'))).toEqual([id, id])
  })

  it('resolve with the id of a transaction that was in a block, where a look-up finds it', async () => {
    const accepted = refusing('was already accepted by the consensus')
    expect(await outcomesWith(accepted, { getMempoolEntry: () => ({ mempoolEntry: {} }) })).toEqual([id, id])
    const entries = [{ outpoint: { transactionId: id, index: 0 } }]
    expect(await outcomesWith(accepted, { getUtxosByAddresses: () => ({ entries }) })).toEqual([id, id])
  })

  it('report the refusal where the look-up fails', async () => {
    const accepted = refusing('was already accepted by the consensus')
    const [submitted] = await outcomesWith(accepted, { getMempoolEntry: failing('No reply', 'timeout') })
    expect(submitted).toMatchObject({ method: 'submitTransaction', code: 'remote', outcome: 'unknown' })
  })

  it('submit a replacement as a plain transaction where the node lacks its target', async () => {
    const [, replaced] = await outcomesWith(() => ({ transactionId: id }), {
      submitTransactionReplacement: refusing('replace by fee found no double spending transaction in the mempool'),
    })
    expect(replaced).toBe(id)
  })

  it.each(['timeout', 'not-connected'] as const)(
    'have no reason and an unknown outcome after %s: an earlier call may have sent the transaction',
    async (code) => {
      const [submitted] = await outcomesWith(failing('No reply', code))
      expect(submitted).toMatchObject({ code, reason: undefined, outcome: 'unknown', transactionId: id })
    },
  )

  it('are unsent for what is no transaction', async () => {
    const call: Call = () => Promise.reject(new Error('nothing may be sent'))
    const { submitTransaction } = createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })
    const error: unknown = await submitTransaction({} as Transaction).catch((rejection: unknown) => rejection)
    expect(error).toMatchObject({ code: 'invalid-argument', outcome: 'unsent', transactionId: undefined })
  })

  it('are unsent for what every node would refuse, and unknown where this engine has sent it', async () => {
    const call: Call = () => Promise.reject(new Error('nothing may be sent'))
    const sentIds = createSentIds()
    const { submitTransaction } = createQueries({ call, network: () => 'simnet', sentIds })
    const unsigned = { ...transaction, inputs: transaction.inputs.map((input) => ({ ...input, signatureScript: '' })) }
    const fail = () => submitTransaction(unsigned).catch((rejection: unknown) => rejection)
    expect(await fail()).toMatchObject({
      code: 'invalid-argument',
      argument: 'transaction',
      reason: 'invalid-signature',
      outcome: 'unsent',
      transactionId: id,
      hint: 'Every node refuses it, so it was not sent.',
    })
    sentIds.add(id)
    expect(await fail()).toMatchObject({
      code: 'invalid-argument',
      argument: 'transaction',
      reason: 'invalid-signature',
      outcome: 'unknown',
      transactionId: id,
      hint: `Every node refuses it, so it was not sent again. ${UNKNOWN_OUTCOME_HINT}`,
    })
  })

  it('note the id before the first byte is sent', async () => {
    const sentIds = createSentIds()
    const noted: boolean[] = []
    const call = (() => {
      noted.push(sentIds.has(id))
      return Promise.resolve({ transactionId: id })
    }) as unknown as Call
    await createQueries({ call, network: () => 'simnet', sentIds }).submitTransaction(transaction)
    expect([noted, sentIds.has(id)]).toEqual([[true], true])
  })
})
