import { isHex, toHex } from '../../model/hex.js'
import { isPskb } from '../../model/pskb-text.js'
import { unreadableResult } from '../to-wallet-error.js'
import { isProvider } from '../provider.js'

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

/** Signatures, or a whole bundle: `PSKB` and hex. */
export const toPskb = /*#__PURE__*/ parseWith('signPskb', (result) =>
  typeof result === 'string' && isPskb(result.trim()) ? result.trim() : undefined,
)

/** The fields in which wallets return the id. */
const FIELDS = ['id', 'txid', 'txId', 'transactionId']

/** The id in a payment's result: an id, a transaction, or JSON of either. Undefined if there is none. */
export function readTransactionId(result: unknown): string | undefined {
  if (typeof result === 'string') return readText(result.trim())
  if (!isProvider(result)) return undefined
  return FIELDS.map((field) => toId(result[field])).find((id) => id !== undefined)
}

const readText = (text: string): string | undefined => toId(text) ?? readJson(text)

function toId(value: unknown): string | undefined {
  const id = typeof value === 'string' ? value.toLowerCase() : undefined
  return isHex(id, 32) ? id : undefined
}

function readJson(text: string): string | undefined {
  if (!/^[{"]/.test(text)) return undefined
  try {
    return readTransactionId(JSON.parse(text))
  } catch {
    return undefined // not valid JSON
  }
}

/** A signed transaction as JSON, from JSON or an object. Undefined if it is neither. */
function readTransactionJson(result: unknown): string | undefined {
  if (typeof result === 'string') return result.trim().startsWith('{') ? result : undefined
  return typeof result === 'object' && result !== null ? JSON.stringify(result) : undefined
}

/** A Schnorr signature in hex, from hex or base64. Undefined if invalid. */
export function readSignature(result: unknown): string | undefined {
  if (typeof result !== 'string') return undefined
  const hex = result.trim().toLowerCase()
  return isHex(hex, 64) ? hex : fromBase64(result.trim())
}

function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{86}==$/.test(text)) return undefined // 64 bytes
  return toHex(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)))
}
