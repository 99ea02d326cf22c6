import { serializeTransaction } from '../../model/serialized-transaction.js'
import { createTransaction } from '../../model/transaction.js'
import type { OutpointKey } from '../../model/utxo.js'
import type { NewAttempt, PayoutAttempt, PayoutRecord, PayoutUpdate } from '../../streams/payouts/journal.js'
import { type PayoutEvent, reducePayout } from '../../streams/payouts/progress.js'

/** 32 bytes in hex, by a number. */
export const idOf = (number: number): string => number.toString(16).padStart(64, '0')

export const outpointOf = (number: number): OutpointKey => `${idOf(number)}:0`

/** An attempt with the form of a signed one; journals do not read it. */
export function attemptOf(id: number, inputs: readonly number[], pays: readonly string[], number = 0): PayoutAttempt {
  const transaction = createTransaction({
    inputs: inputs.map((input) => ({
      previousOutpoint: { transactionId: idOf(input), index: 0 },
      signatureScript: '00',
      sequence: 0n,
      sigOpCount: 1,
    })),
    outputs: [],
  })
  const signed = { ...serializeTransaction(transaction), id: idOf(id) }
  return {
    transactionId: idOf(id),
    number,
    kind: number === 0 ? 'pay' : 'bump',
    signed,
    fee: 2_000n,
    pays,
    acceptedBlueScore: null,
    acceptingBlock: null,
    outcome: null,
    lastResponse: null,
  }
}

export const newAttempt = (attempt: PayoutAttempt, group: string, inputs: readonly number[]): NewAttempt => ({
  group,
  attempt,
  claims: inputs.map(outpointOf),
})

/** The update of a record by one event. */
export const updateOf = (record: PayoutRecord, event: PayoutEvent, group = record.group): PayoutUpdate => ({
  id: record.id,
  version: record.version,
  group,
  progress: reducePayout(record.progress, event),
  events: [event],
})
