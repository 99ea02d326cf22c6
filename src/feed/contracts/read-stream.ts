import { ChainError } from '../../errors/chain-error.js'
import { pruneRows, putRows, rollbackRows, type ContractRow, type ContractRows } from '../../model/contracts/rows.js'
import type { JetStreamClients } from '../jetstream/clients.js'
import type { BeginMessage } from '../jetstream/messages.js'
import type { ContractEndMessage, ContractMessage } from './contract-messages.js'
import { toRow } from './contract-messages.js'
import type { StoredContracts } from './contract-store.js'
import type { Programs } from './output-rows.js'

/** Where a stream of contracts ends. */
export interface StreamEnd {
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
export async function readStream(clients: JetStreamClients, stream: string, programs: Programs): Promise<StreamEnd> {
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
