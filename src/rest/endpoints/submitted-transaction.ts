import { invalidArgument } from '../../errors/chain-error.js'
import { isHex } from '../../model/hex.js'
import { NATIVE_SUBNETWORK } from '../../model/transaction.js'
import { hash, integer, listOf, type Check } from './arguments.js'
import { isRecord, type WireRecord } from '../decoding/shape.js'

/**
 * A signed transaction in the server's model. Serialized transactions of this library (`PendingTx.serialize()`) are
 * accepted too: their `value` and `script` are `amount` and `scriptPublicKey` in the server's model.
 */
export const submittedTransaction: Check = (value, name, network) => {
  const transaction = asRecord(value, name)
  const at = (field: string, check: Check, fallback?: unknown) =>
    check(transaction[field] ?? fallback, `${name}.${field}`, network)
  rejectUnsupported(transaction, name)
  return {
    version: at('version', u16),
    inputs: at('inputs', listOf(input)),
    outputs: at('outputs', listOf(output)),
    lockTime: at('lockTime', u64, 0),
    // without it, some servers respond with an error about lengths
    subnetworkId: at('subnetworkId', subnetwork, NATIVE_SUBNETWORK),
  }
}

/** Fields that the server's model does not have, with the values that mean the same as their absence. */
const UNSUPPORTED: Readonly<Record<string, { readonly words: string; readonly empty: readonly unknown[] }>> = {
  payload: { words: 'a payload', empty: [undefined, null, ''] },
  gas: { words: 'gas', empty: [undefined, null, 0, 0n, '0'] },
  computeBudget: { words: 'a compute budget', empty: [undefined, null, 0, 0n, '0'] },
  covenant: { words: 'a covenant', empty: [undefined, null] },
}

/** The server drops fields that it does not know, which would change the id and invalidate the signatures. */
function rejectUnsupported(record: WireRecord, name: string): void {
  for (const [field, { words, empty }] of Object.entries(UNSUPPORTED)) {
    if (empty.includes(record[field])) continue
    const message = `A transaction with ${words} cannot be submitted over REST`
    throw invalidArgument(`${name}.${field}`, message, 'Submit it over RPC.')
  }
}

const input: Check = (value, name, network) => {
  const record = asRecord(value, name)
  rejectUnsupported(record, name)
  const { previousOutpoint, signatureScript, sequence, sigOpCount } = record
  const { transactionId, index } = asRecord(previousOutpoint, `${name}.previousOutpoint`)
  return {
    previousOutpoint: {
      transactionId: hash(transactionId, `${name}.previousOutpoint.transactionId`, network),
      index: u32(index, `${name}.previousOutpoint.index`, network),
    },
    signatureScript: hex(signatureScript, `${name}.signatureScript`, network),
    sequence: u64(sequence, `${name}.sequence`, network),
    sigOpCount: u8(sigOpCount, `${name}.sigOpCount`, network),
  }
}

const output: Check = (value, name, network) => {
  const record = asRecord(value, name)
  rejectUnsupported(record, name)
  const { amount, value: sompi, scriptPublicKey } = record
  const { version, scriptPublicKey: script, script: ours } = asRecord(scriptPublicKey, `${name}.scriptPublicKey`)
  return {
    amount: positive(amount ?? sompi, `${name}.amount`, network),
    scriptPublicKey: {
      version: u16(version, `${name}.scriptPublicKey.version`, network),
      scriptPublicKey: hex(script ?? ours, `${name}.scriptPublicKey.scriptPublicKey`, network),
    },
  }
}

const u8: Check = /*#__PURE__*/ integer(0n, 255n)
const u16: Check = /*#__PURE__*/ integer(0n, 65_535n)
const u32: Check = /*#__PURE__*/ integer(0n, 2n ** 32n - 1n)
const u64: Check = /*#__PURE__*/ integer(0n, 2n ** 64n - 1n)
const positive: Check = /*#__PURE__*/ integer(1n, 2n ** 64n - 1n)

const hex: Check = (value, name) => {
  if (typeof value === 'string' && /^(?:[0-9a-f]{2})*$/.test(value)) return value
  throw invalidArgument(name, `"${name}" must be hex in lower case`)
}

const subnetwork: Check = (value, name) => {
  if (isHex(value, 20)) return value
  throw invalidArgument(name, `"${name}" must be 40 hex digits in lower case`)
}

function asRecord(value: unknown, name: string): WireRecord {
  if (isRecord(value)) return value
  throw invalidArgument(name, `"${name}" must be a record`)
}
