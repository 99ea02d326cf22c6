import { unreadable } from '../failure.js'
import { readSignature } from './signature.js'
import { readTransactionId } from './transaction-id.js'
import { readTransactionJson } from './transaction-json.js'

/** An answer as `read` understands it; one that it does not understand is the cause of the operation's failure. */
const expecting =
  (operation: string, read: (answer: unknown) => string | undefined) =>
  (answer: unknown): string => {
    const value = read(answer)
    if (value === undefined) throw unreadable(operation, answer)
    return value
  }

export const toTransactionId = /*#__PURE__*/ expecting('sendKaspa', readTransactionId)

export const toSignature = /*#__PURE__*/ expecting('signMessage', readSignature)

export const toTransactionJson = /*#__PURE__*/ expecting('signPskt', readTransactionJson)
