import type { ContractRow, RowCause, RowSpend } from '../../model/contracts/rows.js'
import type { ContractBatch } from '../../streams/contracts/follow-contracts.js'
import type { BeginMessage, EndMessage } from '../jetstream/messages.js'
import type { NextPlace, Outgoing } from '../jetstream/plan-batch.js'
import type { Programs } from './output-rows.js'
import { batchSubject, outputSubject } from './contract-stream.js'

/** Integers are decimal text in all messages. */
type AsText<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: AsText<T[K]> } : T

/** The last message of a batch: it counts from here on. */
export interface ContractEndMessage extends Omit<EndMessage, 'transfers' | 'watched'> {
  /** How many outputs the batch has. */
  readonly outputs: number
  /** The covenants that are followed. */
  readonly covenants: readonly string[]
  /** Those of which outputs are not known. */
  readonly incomplete: readonly string[]
}

/** An output as it is after the batch. The last message of an outpoint replaces those before. */
export type ContractOutputMessage = Pick<BeginMessage, 'batch' | 'attempt'> &
  AsText<Omit<ContractRow, 'state' | 'spentBy'>> & {
    readonly type: 'output'
    /** With integers as decimal text. */
    readonly state: unknown
    /** The script that its address is the hash of, with the state; null where it is not known. */
    readonly redeemScript: string | null
    readonly spentBy: (AsText<Omit<RowSpend, 'arguments'>> & { readonly arguments: RowSpend['arguments'] }) | null
  }

/** Begins as in the stream of transfers. */
export type ContractMessage = BeginMessage | ContractOutputMessage | ContractEndMessage

export interface ContractBatchPlace extends NextPlace {
  readonly blueScore: bigint
  readonly programs: Programs
}

/** The messages of a batch, in order. */
export function planContractBatch(
  { rollback, rows, cursor, isLive, incomplete }: ContractBatch,
  place: ContractBatchPlace,
): readonly Outgoing[] {
  const { stream, batch, attempt, previous, previousAttempt, blueScore, programs } = place
  const toOutgoing = (subject: string, message: object): Outgoing => ({
    subject,
    body: JSON.stringify({ batch, attempt, ...message }, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    ),
  })
  const toBatch = batchSubject(stream)
  return [
    toOutgoing(toBatch, { type: 'begin', rollback, previous, previousAttempt }),
    ...rows.map((row) => {
      const redeemScript = row.state === null ? null : programs.get(row.covenantId)?.redeemScript(row.state as never)
      return toOutgoing(outputSubject(stream, row.covenantId), { type: 'output', ...row, redeemScript })
    }),
    toOutgoing(toBatch, {
      type: 'end',
      outputs: rows.length,
      cursor,
      blueScore,
      isLive,
      covenants: [...programs.keys()],
      incomplete,
    }),
  ]
}

/** The row of a message. Arguments have their integers as text. */
export function toRow(message: ContractOutputMessage, programs: Programs): ContractRow {
  const { covenantId, outpoint, value, scriptPublicKey, redeemScript, isForeign, isGenesis, spentBy } = message
  const state = redeemScript === null ? undefined : programs.get(covenantId)?.decodeState(redeemScript)
  return {
    covenantId,
    outpoint,
    value: BigInt(value),
    scriptPublicKey,
    state: state ?? null,
    isForeign,
    isGenesis,
    blockDaaScore: BigInt(message.blockDaaScore),
    createdBy: toCause(message.createdBy),
    spentBy: spentBy && { ...spentBy, blueScore: BigInt(spentBy.blueScore) },
  }
}

const toCause = (cause: AsText<RowCause> | null): RowCause | null =>
  cause && { ...cause, blueScore: BigInt(cause.blueScore) }
