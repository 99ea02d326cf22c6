import { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletSignRequest } from '../../wallets/port.js'

/** A record of the SDK's safe JSON, whose fields are compared. */
type Fields = Readonly<Record<string, unknown>>

/**
 * The wallet's signed transaction, if it is the one of the request: same inputs, outputs, payload, lock time and
 * version, and no signature that was not requested. Throws `ChainWalletError` (`unexpected-response`) otherwise: a
 * signature that the user did not approve can be abused by the recipient, and a transaction with other outputs pays
 * somebody else.
 */
export function checkSigned(request: WalletSignRequest, signed: string): string {
  const [before, after] = [readTransaction(request.txJson), readTransaction(signed)]
  if (before === null || after === null) throw unexpected(signed, 'The result is not the JSON of a transaction')
  const other = compareTransactions(before.fields, after.fields) ?? compareLists(before, after)
  if (other !== null) throw unexpected(signed, other)
  const types = new Map(request.signInputs.map(({ index, sighashType }) => [index, sighashType]))
  before.inputs.forEach((input, index) => {
    const problem = compareInput(input, after.inputs[index] ?? {}, types.get(index))
    if (problem !== null) throw unexpected(signed, `Input ${index} ${problem.details}`, problem.hint)
  })
  return signed
}

/** The compared fields of a transaction, with the values that stand for a missing one. */
const FIELDS = {
  version: ['0', 'version'],
  lockTime: ['0', 'lock time'],
  payload: ['', 'payload'],
  gas: ['0', 'gas'],
  subnetworkId: ['00'.repeat(20), 'subnetwork'],
} as const

function compareTransactions(before: Fields, after: Fields): string | null {
  const different = Object.entries(FIELDS).find(
    ([field, [missing]]) => !isSame(before[field] ?? missing, after[field] ?? missing),
  )
  return different === undefined ? null : `The transaction has another ${different[1][1]}`
}

function compareLists(before: SafeTransaction, after: SafeTransaction): string | null {
  if (before.inputs.length !== after.inputs.length) return 'The transaction has other inputs'
  if (before.outputs.length !== after.outputs.length) return 'The transaction has other outputs'
  const index = before.outputs.findIndex((output, at) => !isSameOutput(output, after.outputs[at] ?? {}))
  return index === -1 ? null : `Output ${index} differs`
}

const isSameOutput = (before: Fields, after: Fields): boolean =>
  isSame(before.value, after.value) && toScript(before.scriptPublicKey) === toScript(after.scriptPublicKey)

/**
 * A script in the SDK's text: the version as four hex digits, then the script. Wallets also return it as a record, or
 * its JSON.
 */
function toScript(script: unknown): string {
  if (typeof script === 'string' && script.startsWith('{')) return toScript(parse(script))
  if (!isRecord(script)) return textOf(script)
  return Number(script.version).toString(16).padStart(4, '0') + textOf(script.script)
}

/** Numbers and decimal strings are equal, as are both cases of hex digits; an inexact number equals nothing. */
const isSame = (before: unknown, after: unknown): boolean =>
  !isRounded(before) && !isRounded(after) && textOf(before) === textOf(after)

/** Whether a number lost digits when its JSON was read: a sequence that commits to amounts has 64 bits. */
export const isRounded = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)

const textOf = (value: unknown): string => String(value).toLowerCase()

interface Problem {
  readonly details: string
  readonly hint: string
}

/** What is wrong with a signed input; null if nothing. `type` is the requested sighash type, if any. */
function compareInput(before: Fields, after: Fields, type: number | undefined): Problem | null {
  if (!isSame(before.transactionId, after.transactionId) || !isSame(before.index, after.index))
    return { details: 'spends another output', hint: OTHER }
  if (isRounded(after.sequence)) return { details: 'has a rounded sequence', hint: OTHER }
  if (!isSame(before.sequence ?? 0, after.sequence ?? 0)) return { details: 'has another sequence', hint: OTHER }
  const script = scriptOf(after)
  if (script === scriptOf(before)) return null
  if (type === undefined) return { details: 'was signed without being requested', hint: UNREQUESTED }
  const actual = sighashTypeOf(script)
  if (actual === null || actual === type) return null
  return { details: `was signed with sighash type ${actual}, not ${type}`, hint: OTHER_TYPE }
}

const OTHER = 'Do not submit the transaction in `cause`: it is not the one that was requested.'
const UNREQUESTED =
  'Do not pass on the signed transaction in `cause`. Name every input, or use a wallet that signs single inputs.'
const OTHER_TYPE =
  'Do not pass on the signed transaction in `cause`: its signature covers other parts. Use a wallet that signs with this sighash type.'

const scriptOf = ({ signatureScript }: Fields): string =>
  typeof signatureScript === 'string' ? signatureScript.toLowerCase() : ''

/** The last byte of the first signature: a push of 65 bytes (0x41). Null for a script of another form. */
const sighashTypeOf = (script: string): number | null =>
  /^41[0-9a-f]{130}/.test(script) ? parseInt(script.slice(130, 132), 16) : null

interface SafeTransaction {
  readonly fields: Fields
  readonly inputs: readonly Fields[]
  readonly outputs: readonly Fields[]
}

function readTransaction(text: string): SafeTransaction | null {
  const fields = parse(text)
  if (!isRecord(fields) || !Array.isArray(fields.inputs)) return null
  return {
    fields,
    inputs: fields.inputs.map(toFields),
    outputs: Array.isArray(fields.outputs) ? fields.outputs.map(toFields) : [],
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // not JSON
  }
}

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const toFields = (item: unknown): Fields => (isRecord(item) ? item : {})

const unexpected = (signed: string, details: string, hint = OTHER): ChainWalletError =>
  new ChainWalletError('signPskt', signed, { code: 'unexpected-response', details, hint })
