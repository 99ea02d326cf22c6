import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { PaymentPhase, PaymentRecord, RequestRecord } from '../../streams/requests/record.js'

/** What the database keeps of a request's record: the clock and the freshness are those of the reader. */
export type StoredRecord = Pick<RequestRecord, 'payments' | 'tip' | 'wasReverted'>

interface RecordJson {
  readonly payments: readonly PaymentJson[]
  readonly tip: string
  readonly wasReverted: boolean
}

interface PaymentJson extends Omit<PaymentRecord, 'amount' | 'phase'> {
  readonly amount: string
  readonly phase: PhaseJson
}

type PhaseJson =
  | { readonly step: 'listed' | 'reverted' | 'dropped' }
  | { readonly step: 'left'; readonly above: string; readonly blocks: number }
  | { readonly step: 'accepted'; readonly blueScore: string; readonly depthBefore: string }

/** Of a request that nothing is known of. */
export const EMPTY_RECORD: StoredRecord = { payments: new Map(), tip: 0n, wasReverted: false }

/** Plain JSON: bigints as decimal texts. */
export const toRecordJson = ({ payments, tip, wasReverted }: StoredRecord): RecordJson => ({
  payments: [...payments.values()].map(({ outpoint, amount, counterparties, inputs, seenAfter, phase }) => ({
    outpoint: toPlainOutpoint(outpoint),
    amount: String(amount),
    counterparties,
    inputs: inputs.map(toPlainOutpoint),
    seenAfter,
    phase: toPhaseJson(phase),
  })),
  tip: String(tip),
  wasReverted,
})

/** The record of what `toRecordJson` wrote. */
export function parseRecord(text: string): StoredRecord {
  const { payments, tip, wasReverted } = JSON.parse(text) as RecordJson // written by `toRecordJson`
  const records = payments.map(({ amount, phase, ...payment }) => ({
    ...payment,
    amount: BigInt(amount),
    phase: parsePhase(phase),
  }))
  return {
    payments: new Map(records.map((record) => [toOutpointKey(record.outpoint), record])),
    tip: BigInt(tip),
    wasReverted,
  }
}

const toPlainOutpoint = ({ transactionId, index }: Outpoint): Outpoint => ({ transactionId, index })

function toPhaseJson(phase: PaymentPhase): PhaseJson {
  if (phase.step === 'left') return { ...phase, above: String(phase.above) }
  if (phase.step !== 'accepted') return phase
  return { step: phase.step, blueScore: String(phase.blueScore), depthBefore: String(phase.depthBefore) }
}

function parsePhase(phase: PhaseJson): PaymentPhase {
  if (phase.step === 'left') return { ...phase, above: BigInt(phase.above) }
  if (phase.step !== 'accepted') return phase
  return { step: phase.step, blueScore: BigInt(phase.blueScore), depthBefore: BigInt(phase.depthBefore) }
}
