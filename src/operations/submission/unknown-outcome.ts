import { ChainRpcError, type ChainRpcErrorCode, type RejectReason } from '../../errors/rpc-error.js'
import {
  DUPLICATE_HINT,
  UNSENT_HINT,
  parseReply,
  refusalHint,
  unknownOutcomeHint,
} from '../../model/submission-reply.js'

/** Whether a query may be repeated because no readable reply came. */
export const hasNoReply = (error: unknown): boolean => error instanceof ChainRpcError && NO_REPLY.includes(error.code)

const NO_REPLY: readonly ChainRpcErrorCode[] = ['timeout', 'connection-lost', 'malformed']

/** A refusal by the node, with its reason. */
export const refusal = (method: string, { cause }: ChainRpcError, reason: RejectReason): ChainRpcError =>
  new ChainRpcError(method, cause, { code: 'remote', reason, hint: refusalHint(reason) })

/** A refusal by every node, found before anything was sent. */
export const refusalByAll = (method: string, violation: string): ChainRpcError => {
  const { reason } = parseReply(violation)
  const cause = new Error(violation)
  return new ChainRpcError(method, cause, {
    code: 'invalid-argument',
    argument: 'transaction',
    reason,
    hint: UNSENT_HINT,
  })
}

/** Whether the node refused the transaction; errors of other calls have no `reason`. */
export const isRefusal = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && error.code === 'remote' && error.reason !== undefined

/**
 * The same error with an unknown outcome and the transaction's id. The hint of a call that got no reply does not hold
 * then.
 */
export function toUnknownOutcome(error: unknown, transactionId: string): ChainRpcError {
  const unknown = { outcome: 'unknown', transactionId } as const
  if (!(error instanceof ChainRpcError))
    return new ChainRpcError('submitTransaction', error, { ...unknown, hint: unknownOutcomeHint() })
  const { method, cause, code, reason, argument } = error
  const hint = unknownOutcomeHint(reason === undefined ? undefined : error.hint)
  return new ChainRpcError(method, cause, { code, reason, argument, hint, ...unknown })
}

/** The error of a new plan that the network already has: by this call, or by another tab, device or process. */
export const duplicateOf = ({ method, cause }: ChainRpcError, transactionId: string): ChainRpcError =>
  new ChainRpcError(method, cause, {
    code: 'remote',
    reason: 'duplicate',
    outcome: 'unknown',
    transactionId,
    hint: DUPLICATE_HINT,
  })
