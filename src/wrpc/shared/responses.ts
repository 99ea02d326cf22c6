import { TransactionIds } from '../../model/transaction-ids.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import type { AcceptedIds, ChainIds } from '../../node/port.js'
import type { DecodedMessage, ResponseFormat } from '../codec.js'
import type { ToTabMap } from './messages.js'

/** Responses as plain data: a class loses its methods where it is cloned. */

/** The ids of a block, as bytes or hex. */
interface PlainBlock extends Omit<AcceptedIds, 'transactionIds'> {
  readonly transactionIds: Uint8Array | readonly string[]
}

interface PlainChainIds extends Omit<ChainIds, 'blocks'> {
  readonly blocks: readonly PlainBlock[]
}

/** The response of a call, as it is posted. */
export const encodeResponse = (format: ResponseFormat, response: unknown): unknown =>
  format === 'ids' ? encodeIds(response as ChainIds) : response // the format decides the type

/** A response in the form of a codec, which decodes some in steps. */
export function decodeResponse({ id, method, format, response }: ToTabMap['result']): DecodedMessage {
  if (format === 'columns') return { kind: 'columns', id, columns: atOnce(response as UtxoColumns) }
  if (format === 'ids') return { kind: 'ids', id, page: decodeIds(response as PlainChainIds) }
  return { kind: 'response', id, method, response } as DecodedMessage // a record of the method
}

const encodeIds = ({ blocks, ...page }: ChainIds): PlainChainIds => ({
  ...page,
  blocks: blocks.map(({ header, transactionIds }) => ({ header, transactionIds: transactionIds.toPlain() })),
})

const decodeIds = ({ blocks, ...page }: PlainChainIds): ChainIds => ({
  ...page,
  blocks: blocks.map(({ header, transactionIds }) => ({ header, transactionIds: new TransactionIds(transactionIds) })),
})

function* atOnce<Value>(value: Value): Generator<undefined, Value> {
  yield* []
  return value
}
