import { ChainError } from '../errors/chain-error.js'
import type { NodeNotification, RpcMethod, RpcResponse } from '../node/messages/records.js'
import { createBorshCodec } from '../wrpc/borsh/codec.js'
import type { WireCodec } from '../wrpc/codec.js'

/** Rejects records that no node could send. */
export interface RecordChecks {
  /** Throws `ChainError` (`invalid-argument`) with the field; `what` is the beginning of its message. */
  response<M extends RpcMethod>(method: M, response: RpcResponse<M>, what?: string): void
  /** Throws `ChainError` (`invalid-argument`) with the field. */
  notification(notification: NodeNotification): void
}

/** Accepts every record. */
export const NO_CHECKS: RecordChecks = { response: () => undefined, notification: () => undefined }

/** One encoder for all: to compile it takes as long as to encode hundreds of records. */
const shared: { codec?: WireCodec } = {}

/** The encoder of devnode's server validates every field. */
export function createRecordChecks(): RecordChecks {
  const codec = (shared.codec ??= createBorshCodec())
  return {
    response: (method, response, what = `The scripted response to "${method}"`) =>
      withName(what, () => codec.encodeResponse(0n, method, response)),
    notification: (notification) =>
      withName(`The scripted notification "${notification.type}"`, () => codec.encodeNotification(notification)),
  }
}

function withName(what: string, encode: () => unknown): void {
  try {
    encode()
  } catch (cause) {
    if (!(cause instanceof ChainError)) throw cause
    throw new ChainError(`${what} is malformed: ${cause.message}`, {
      code: 'invalid-argument',
      argument: cause.argument,
      hint: 'The functions of `fixtures` of vue-chain/testing make valid records.',
    })
  }
}
