import { unreadableResult } from '../to-wallet-error.js'
import { readSignature } from './signature.js'
import { readTransactionId } from './transaction-id.js'
import { readTransactionJson } from './transaction-json.js'

/** A parser that throws an `unreadableResult` error where `read` returns undefined. */
const parseWith =
  (operation: string, read: (result: unknown) => string | undefined) =>
  (result: unknown): string => {
    const value = read(result)
    if (value === undefined) throw unreadableResult(operation, result)
    return value
  }

export const toTransactionId = /*#__PURE__*/ parseWith('sendKaspa', readTransactionId)

export const toSignature = /*#__PURE__*/ parseWith('signMessage', readSignature)

export const toTransactionJson = /*#__PURE__*/ parseWith('signPskt', readTransactionJson)
