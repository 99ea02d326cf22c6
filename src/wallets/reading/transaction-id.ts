import { isHex } from '../../model/hex.js'
import { isProvider } from '../provider.js'

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
