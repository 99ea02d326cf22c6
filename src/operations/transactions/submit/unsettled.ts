import { ChainRpcError, type ChainRpcErrorCode } from '../../../errors/rpc-error.js'
import type { Finding } from './lookup.js'

/** No answer came, or none that can be read, though the caller still wants one. */
const SILENCE: readonly ChainRpcErrorCode[] = ['timeout', 'connection-lost', 'malformed']

/** After these the request may have reached the node; after all others it has not, or the node has said no. */
const LOST: readonly ChainRpcErrorCode[] = [...SILENCE, 'cancelled', 'superseded']

/** Whether a question may be asked again, since no answer came. */
export const isSilence = (error: unknown): boolean => error instanceof ChainRpcError && SILENCE.includes(error.code)

/** Whether the answer to a submission was lost. */
export const isLost = (error: unknown): boolean => error instanceof ChainRpcError && LOST.includes(error.code)

/** Whether the node has said that it has the transaction, or had it lately. */
export const isDuplicate = (error: unknown): boolean => error instanceof ChainRpcError && error.reason === 'duplicate'

/** Whether the node has said no. */
export const isRefusal = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && error.code === 'remote'

/**
 * Whether a refusal means that the network has it not. An orphan may be one because it was accepted long ago, unless all
 * places were looked into.
 */
export const provesAbsence = (error: unknown, finding: Finding): boolean =>
  isRefusal(error) && (error.reason !== 'orphan' || finding === 'nowhere')

const HINT = 'The network may have it all the same: follow it by its transactionId before you pay anew.'

/** The same error, of a transaction that the network may have all the same, or has: it says which. */
export function toUnsettled(error: unknown, transactionId: string): ChainRpcError {
  if (!(error instanceof ChainRpcError))
    return new ChainRpcError('submitTransaction', error, { transactionId, hint: HINT })
  const { method, cause, code, reason } = error
  return new ChainRpcError(method, cause, { code, reason, transactionId, hint: isDuplicate(error) ? error.hint : HINT })
}
