import { invalidArgument } from '../../errors/chain-error.js'
import { NATIVE_SUBNETWORK } from '../../model/transaction.js'
import { hash, integer, listOf, type Check } from './arguments.js'
import { isRecord, type WireRecord } from '../reading/shape.js'

/**
 * A signed transaction as the server's model has it. The transactions of this library (`PendingTx.serialize()`) are
 * understood too: what they call `value` and `script` is `amount` and `scriptPublicKey` over there.
 */
export const submittedTransaction: Check = (value, name, network) => {
  const transaction = asRecord(value, name)
  const at = (field: string, check: Check, fallback?: unknown) =>
    check(transaction[field] ?? fallback, `${name}.${field}`, network)
  refusePayload(transaction.payload, `${name}.payload`)
  return {
    version: at('version', u16),
    inputs: at('inputs', listOf(input)),
    outputs: at('outputs', listOf(output)),
    lockTime: at('lockTime', u64, 0),
    // without it, some servers answer with an error about lengths
    subnetworkId: at('subnetworkId', hex, NATIVE_SUBNETWORK),
  }
}

/** The server's model has no payload: it would be dropped, the id change, and every signature fail. */
function refusePayload(payload: unknown, name: string): void {
  if (payload === undefined || payload === '') return
  throw invalidArgument(name, 'A transaction with a payload cannot be submitted over REST', 'Submit it over RPC.')
}

const input: Check = (value, name, network) => {
  const { previousOutpoint, signatureScript, sequence, sigOpCount } = asRecord(value, name)
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
  const { amount, value: sompi, scriptPublicKey } = asRecord(value, name)
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

function asRecord(value: unknown, name: string): WireRecord {
  if (isRecord(value)) return value
  throw invalidArgument(name, `"${name}" must be a record`)
}
