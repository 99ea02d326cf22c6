import { invalidArgument, refuseUnknown, ChainError } from '../../errors/chain-error.js'
import { tipScoreOf } from '../../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../../model/network.js'
import { createBatchWriter } from '../jetstream/publish-batch.js'
import { createStreamOpener, type JetStreamOptions, type OpenedStream } from '../jetstream/open-stream.js'
import type { ContractSession, OpenContractSession, StoredContracts } from './contract-store.js'
import type { Programs } from './output-rows.js'
import {
  pruneRows,
  putRows,
  rollbackRows,
  type ContractRow,
  type ContractRows,
  type RowCause,
  type RowSpend,
} from '../../model/contracts/rows.js'
import type { JetStreamClients } from '../jetstream/nats-connection.js'
import type { BeginMessage, EndMessage } from '../jetstream/messages.js'
import type { ContractBatch } from '../../streams/contracts/follow-contracts.js'
import type { NextPlace, Outgoing } from '../jetstream/plan-batch.js'
import type { StreamPurpose } from '../jetstream/ensure-stream.js'

/** A stream of NATS JetStream for outputs of contracts. */
export interface ContractStreamOptions extends JetStreamOptions {
  /** The stream is `<name>-<network>`. @default 'contracts' */
  readonly name?: string | undefined
}

const NAMES = ['connection', 'leaseTimeout', 'timeout', 'replicas', 'name']

/** A stream is read from its first message on: a position for each block would be most of it. */
const POSITION_INTERVAL = 60_000

/** Delivers a message for each output and change of it. Throws `ChainError` (`invalid-argument`). */
export function toDocuments(
  options: ContractStreamOptions,
): (network: ChainNetwork, programs: Programs) => OpenContractSession {
  refuseUnknown(options, NAMES)
  const { name = 'contracts' } = options
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(name) || name === 'chain')
    throw invalidArgument('name', `"${name}" is no name of a stream`, 'Use a-z, 0-9 and _, at most 40, not "chain".')
  const opener = createStreamOpener(options)
  return (network, programs) =>
    ({ onWait, signal }) => {
      const purpose = contractStream(name, network)
      const begin = async (stream: OpenedStream): Promise<ContractSession> =>
        createSession(purpose.name, await readStream(stream.clients, purpose.name, programs), programs, stream)
      return opener.open({ purpose, lease: purpose.name, onWait, signal, begin })
    }
}

/** Delivers from where a stream ends. */
function createSession(stream: string, end: StreamEnd, programs: Programs, opened: OpenedStream): ContractSession {
  const { heartbeat$, dropped, close } = opened
  const writeBatch = createBatchWriter(stream, end, opened)
  return {
    stored: end.stored,
    write: (batch) =>
      writeBatch((place) => planContractBatch(batch, { ...place, blueScore: tipScoreOf(batch.cursor), programs })),
    positionInterval: POSITION_INTERVAL,
    heartbeat$,
    dropped,
    close,
  }
}

/** Where a stream of contracts ends. */
interface StreamEnd {
  /** The last sequence of the stream. */
  readonly lastSequence: number
  /** The end of the last batch that counts; null before the first one. */
  readonly end: (ContractEndMessage & { readonly sequence: number }) | null
  readonly stored: StoredContracts | undefined
}

/** How many messages are requested at a time. */
const READ_AHEAD = 1_000

/**
 * Reads a stream from its first message on: calls of contracts are few. A batch counts with its end; a new beginning
 * supersedes what was open. What is stored meanwhile makes the last sequence stale, and the next batch fails.
 */
async function readStream(clients: JetStreamClients, stream: string, programs: Programs): Promise<StreamEnd> {
  const { state } = await clients.manager.streams.info(stream)
  if (state.first_seq > 1) throw removed(stream)
  let rows: ContractRows = new Map<never, ContractRow>()
  let open: ContractRow[] = []
  let rollback: BeginMessage['rollback'] = null
  let end: StreamEnd['end'] = null
  for await (const [message, sequence] of messagesOf(clients, stream, state.last_seq)) {
    if (message.type === 'output') open.push(toRow(message, programs))
    else if (message.type === 'begin') {
      open = []
      rollback = message.rollback
    } else {
      rows = pruneRows(putRows(undone(rows, rollback), open), BigInt(message.blueScore))
      end = { ...message, sequence }
    }
  }
  const stored = end === null ? undefined : { ...end, rows: [...rows.values()] }
  return { lastSequence: state.last_seq, end, stored }
}

/** What a rollback leaves, also of the rows that the UTXO set had at the start. */
export const undone = (rows: ContractRows, rollback: BeginMessage['rollback']): ContractRows =>
  rollback === null ? rows : rollbackRows(rows, BigInt(rollback.blueScore), BigInt(rollback.daaScore))

async function* messagesOf(
  { manager }: JetStreamClients,
  stream: string,
  last: number,
): AsyncGenerator<readonly [ContractMessage, number], undefined, undefined> {
  if (last === 0) return
  const consumer = await manager.jetstream().consumers.get(stream)
  for await (const message of await consumer.consume({ max_messages: READ_AHEAD })) {
    if (message.seq > last) return
    yield [message.json<ContractMessage>(), message.seq]
    if (message.seq === last || message.info.pending === 0) return
  }
}

const removed = (stream: string): ChainError<'history-gap'> =>
  new ChainError(`Messages were removed from the stream "${stream}"`, {
    code: 'history-gap',
    hint: 'Outputs of contracts are read from its beginning. Delete the stream to begin again.',
  })

/** Integers are decimal text in all messages. */
type AsText<T> = T extends bigint ? string : T extends object ? { readonly [K in keyof T]: AsText<T[K]> } : T

/** The last message of a batch: it counts from here on. */
interface ContractEndMessage extends Omit<EndMessage, 'transfers' | 'watched'> {
  /** How many outputs the batch has. */
  readonly outputs: number
  /** The covenants that are followed. */
  readonly covenants: readonly string[]
  /** Those of which outputs are not known. */
  readonly incomplete: readonly string[]
}

/** An output as it is after the batch. The last message of an outpoint replaces those before. */
type ContractOutputMessage = Pick<BeginMessage, 'batch' | 'attempt'> &
  AsText<Omit<ContractRow, 'state' | 'spentBy'>> & {
    readonly type: 'output'
    /** With integers as decimal text. */
    readonly state: unknown
    /** The script that its address is the hash of, with the state; null where it is not known. */
    readonly redeemScript: string | null
    readonly spentBy: (AsText<Omit<RowSpend, 'arguments'>> & { readonly arguments: RowSpend['arguments'] }) | null
  }

/** Begins as in the stream of transfers. */
type ContractMessage = BeginMessage | ContractOutputMessage | ContractEndMessage

interface ContractBatchPlace extends NextPlace {
  readonly blueScore: bigint
  readonly programs: Programs
}

/** The messages of a batch, in order. */
function planContractBatch(
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
function toRow(message: ContractOutputMessage, programs: Programs): ContractRow {
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

/** The stream of a name and network. Its subjects begin with its name. */
const contractStream = (name: string, network: ChainNetwork): StreamPurpose => ({
  name: `${name}-${network}`,
  description: 'vue-chain feed: outputs of contracts',
  subjects: `${name}-${network}.>`,
})

/** The beginning and the end of each batch. */
const batchSubject = (stream: string): string => `${stream}.batch`

/** The outputs of a covenant. */
const outputSubject = (stream: string, covenantId: string): string => `${stream}.output.${covenantId}`
