import type {
  JournalAccess,
  JournalScope,
  JournalSession,
  PayoutJournal,
  PayoutRecord,
  NewAttempt,
  PayoutAttempt,
  PayoutUpdate,
} from '../../streams/payouts/journal.js'
import { serializeTransaction } from '../../model/serialized-transaction.js'
import { createTransaction } from '../../model/transaction.js'
import type { OutpointKey } from '../../model/utxo.js'
import { type PayoutEvent, reducePayout } from '../../streams/payouts/progress.js'

/** What a test works on. */
interface TestRows {
  readonly journal: PayoutJournal
  readonly access: JournalAccess
  readonly session: JournalSession
  /** Stores a request. */
  readonly add: (id: string, amount?: bigint) => Promise<PayoutRecord>
}

interface TestScope {
  readonly scope: JournalScope
  /** Numbers of transactions that no other test uses. */
  readonly base: number
  readonly prefix: string
}

/** Tests by their names. */
export type Tests = Readonly<Record<string, (rows: TestRows, scope: TestScope) => Promise<void>>>

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

/** Expectations without a test framework: a journal is tested in that of its author. */

/** Reads again until a condition holds: numbers of events may become visible later than their rows. */
export async function eventually<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (isDone(value)) return value
  }
}

export function equal(what: string, actual: unknown, expected: unknown): void {
  const [found, wanted] = [toText(actual), toText(expected)]
  if (found !== wanted) throw new Error(`${what}: expected ${wanted}, got ${found}`)
}

/** Keys in one order, bigints marked. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, field: unknown) => {
    if (typeof field === 'bigint') return `${field}n`
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field
    return Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
