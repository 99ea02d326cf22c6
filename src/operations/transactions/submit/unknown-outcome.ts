import { ChainRpcError, type ChainRpcErrorCode } from '../../../errors/rpc-error.js'
import type { LookupResult } from './lookup.js'

/** No readable reply came, though the caller has not aborted. */
const NO_REPLY: readonly ChainRpcErrorCode[] = ['timeout', 'connection-lost', 'malformed']

/** After these the request may have reached the node; after all others it has not, or the node rejected it. */
const MAYBE_ARRIVED: readonly ChainRpcErrorCode[] = [...NO_REPLY, 'aborted', 'superseded']

/** Whether a query may be repeated because no reply came. */
export const hasNoReply = (error: unknown): boolean => error instanceof ChainRpcError && NO_REPLY.includes(error.code)

/** Whether a submission may have reached the node although its reply is missing. */
export const mayHaveArrived = (error: unknown): boolean =>
  error instanceof ChainRpcError && MAYBE_ARRIVED.includes(error.code)

/** Whether the node already has, or recently had, the transaction. */
export const isDuplicate = (error: unknown): boolean => error instanceof ChainRpcError && error.reason === 'duplicate'

/** Whether the node rejected the transaction; other calls have no `reason`. */
export const isRejection = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && error.code === 'remote' && error.reason !== undefined

/**
 * Whether a rejection proves that the network lacks the transaction. An accepted transaction is rejected as an orphan, so
 * that reason counts only after a complete lookup.
 */
export const provesAbsence = (error: unknown, lookup: LookupResult): boolean =>
  isRejection(error) && (error.reason !== 'orphan' || lookup === 'absent')

const HINT = 'The network may have the transaction: follow its transactionId before you pay again.'

/** The same error with the id of a transaction that the network has or may have. */
export function toUnknownOutcome(error: unknown, transactionId: string): ChainRpcError {
  if (!(error instanceof ChainRpcError))
    return new ChainRpcError('submitTransaction', error, { transactionId, hint: HINT })
  const { method, cause, code, reason } = error
  return new ChainRpcError(method, cause, { code, reason, transactionId, hint: isDuplicate(error) ? error.hint : HINT })
}
