import { isHex } from '../../model/hex.js'
import { isRecord } from '../../model/lossless-json.js'
import type { StoredOutput } from '../../model/mass.js'
import {
  NATIVE_SUBNETWORK,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
} from '../../model/transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'

/** A transaction as text or record of another program, and the outputs that it says it spends. */
export interface ReadTransaction {
  readonly transaction: Transaction
  /** In the order of the inputs; undefined where one of them names none. */
  readonly spent: readonly StoredOutput[] | undefined
  /** As the record states it. */
  readonly id: string | undefined
}

/** How much of a record is read, at most. */
export interface ReadLimits {
  readonly maxInputs: number
  readonly maxOutputs: number
}

/** Why a record cannot be read. */
export class UnreadableTransaction extends Error {
  override readonly name = 'UnreadableTransaction'
}

/**
 * Reads `PendingTx.serialize()`, `serializeToSafeJSON()` of the WASM SDK, and the layout of kaspa-x402
 * (`kaspa-sdk-safe-json-v2.0.0`), which puts outpoints into a record of their own. Throws `UnreadableTransaction` that
 * names the first field without the canonical form: decimal text without leading zeros, lower-case hex.
 */
export function readSafeJson(given: unknown, limits: ReadLimits): ReadTransaction {
  const record = recordOf(given, 'transaction')
  const inputs = listOf(record.inputs, 'inputs', limits.maxInputs).map(recordOf)
  const outputs = listOf(record.outputs, 'outputs', limits.maxOutputs).map(recordOf)
  const version = uint(record.version, 'version', 16)
  const restored = isRecord(record.restore) && Array.isArray(record.restore.spent) ? record.restore.spent : []
  const spent = inputs.map((input, index) => readSpent(input.utxo ?? restored[index]))
  return {
    transaction: {
      version,
      inputs: inputs.map((input) => readInput(input, version)),
      outputs: outputs.map(readOutput),
      lockTime: u64(record.lockTime ?? '0', 'lockTime'),
      subnetworkId: hex(record.subnetworkId ?? NATIVE_SUBNETWORK, 'subnetworkId', 20),
      gas: u64(record.gas ?? '0', 'gas'),
      payload: hex(record.payload ?? '', 'payload'),
      mass: u64(record.storageMass ?? '0', 'storageMass'), // `mass` of the SDK is an estimate of all masses
    },
    spent: spent.every((output) => output !== undefined) ? spent : undefined,
    id: record.id === undefined ? undefined : hex(record.id, 'id', 32),
  }
}

type Fields = Readonly<Record<string, unknown>>

function readInput(input: Fields, version: number): TransactionInput {
  const outpoint = input.previousOutpoint === undefined ? input : recordOf(input.previousOutpoint, 'previousOutpoint')
  const { computeBudget } = input
  const read = {
    previousOutpoint: {
      transactionId: hex(outpoint.transactionId, 'transactionId', 32),
      index: uint(outpoint.index, 'index', 32),
    },
    signatureScript: hex(input.signatureScript ?? '', 'signatureScript'),
    sequence: u64(input.sequence, 'sequence'),
    sigOpCount: uint(input.sigOpCount ?? 0, 'sigOpCount', 8),
  }
  return computeBudget === undefined || computeBudget === null || (version === 0 && computeBudget === 0)
    ? read
    : { ...read, computeBudget: uint(computeBudget, 'computeBudget', 16) }
}

function readOutput({ value, scriptPublicKey, covenant }: Fields): TransactionOutput {
  const read = { value: u64(value, 'value'), scriptPublicKey: readScript(scriptPublicKey) }
  if (covenant === undefined || covenant === null) return read
  const { authorizingInput, covenantId } = recordOf(covenant, 'covenant')
  return {
    ...read,
    covenant: {
      authorizingInput: uint(authorizingInput, 'authorizingInput', 16),
      covenantId: hex(covenantId, 'covenantId', 32),
    },
  }
}

function readSpent(given: unknown): StoredOutput | undefined {
  if (given === undefined || given === null) return undefined
  const { amount, scriptPublicKey, covenantId } = recordOf(given, 'utxo')
  const read = { amount: u64(amount, 'amount'), scriptPublicKey: readScript(scriptPublicKey) }
  return covenantId === undefined || covenantId === null
    ? read
    : { ...read, covenantId: hex(covenantId, 'covenantId', 32) }
}

/** As text the version, two bytes big-endian, stands before the script. */
function readScript(given: unknown): ScriptPublicKey {
  if (typeof given === 'string') {
    const text = hex(given, 'scriptPublicKey')
    if (text.length < 4) throw new UnreadableTransaction('"scriptPublicKey" has no version')
    return { version: parseInt(text.slice(0, 4), 16), script: text.slice(4) }
  }
  const { version, script } = recordOf(given, 'scriptPublicKey')
  return { version: uint(version, 'version', 16), script: hex(script, 'script') }
}

const CANONICAL = /^(?:0|[1-9]\d{0,19})$/

function u64(value: unknown, name: string): bigint {
  const number = typeof value === 'string' && CANONICAL.test(value) ? BigInt(value) : value
  if (typeof number === 'bigint' && BigInt.asUintN(64, number) === number) return number
  throw new UnreadableTransaction(`"${name}" is no decimal text of 64 bits`)
}

function uint(value: unknown, name: string, bits: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** bits) return value
  throw new UnreadableTransaction(`"${name}" is no whole number of ${bits} bits`)
}

function hex(value: unknown, name: string, length?: number): string {
  if (isHex(value, length)) return value
  throw new UnreadableTransaction(`"${name}" is no lower-case hex${length === undefined ? '' : ` of ${length} bytes`}`)
}

function recordOf(value: unknown, name: string | number): Fields {
  if (isRecord(value)) return value
  throw new UnreadableTransaction(`"${name}" is no record`)
}

function listOf(value: unknown, name: string, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnreadableTransaction(`"${name}" is no list`)
  if (value.length > max) throw new UnreadableTransaction(`There are ${value.length} ${name}, at most ${max}`)
  return value
}
