import { isHex } from '../../model/hex.js'
import { isProvider } from '../provider.js'

/** Where a transaction says its id, in the wallets' several hands. */
const FIELDS = ['id', 'txid', 'txId', 'transactionId']

/** The id in the answer to a payment: an id, a whole transaction, or the JSON text of either. Undefined in anything else. */
export function readTransactionId(answer: unknown): string | undefined {
  if (typeof answer === 'string') return readText(answer.trim())
  if (!isProvider(answer)) return undefined
  return FIELDS.map((field) => toId(answer[field])).find((id) => id !== undefined)
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
    return undefined // what only begins like JSON holds no id that could be trusted
  }
}
