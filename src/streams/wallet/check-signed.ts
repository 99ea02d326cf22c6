import { ChainWalletError } from '../../errors/wallet-error.js'
import type { WalletSignRequest } from '../../wallets/port.js'

/** The fields of an input that are compared, from the SDK's safe JSON. */
interface Input {
  readonly transactionId?: unknown
  readonly index?: unknown
  readonly sequence?: unknown
  readonly signatureScript?: unknown
}

/**
 * The wallet's signed transaction, if it has the inputs of the request and no signature that was not requested. Throws
 * `ChainWalletError` (`unexpected-answer`) otherwise: a signature that the user did not approve can be abused by the
 * recipient of the transaction.
 */
export function checkSigned(request: WalletSignRequest, signed: string): string {
  const [before, after] = [readInputs(request.txJson), readInputs(signed)]
  if (before === null || after === null) throw unexpected(signed, 'The result is not the JSON of a transaction')
  if (before.length !== after.length) throw unexpected(signed, 'The transaction has other inputs')
  const types = new Map(request.signInputs.map(({ index, sighashType }) => [index, sighashType]))
  before.forEach((input, index) => {
    const difference = compareInput(input, after[index] ?? {}, types.get(index))
    if (difference !== null) throw unexpected(signed, `Input ${index} ${difference}`)
  })
  return signed
}

/** What is wrong with a signed input; null if nothing. `type` is the requested sighash type, if any. */
function compareInput(before: Input, after: Input, type: number | undefined): string | null {
  const isSame = FIELDS.every((field) => String(before[field]) === String(after[field]))
  if (!isSame) return 'spends another output'
  if (isRounded(after.sequence)) return 'has a rounded sequence'
  const script = scriptOf(after)
  if (script === scriptOf(before)) return null
  if (type === undefined) return 'was signed without being requested'
  const actual = sighashTypeOf(script)
  return actual === null || actual === type ? null : `was signed with sighash type ${actual}, not ${type}`
}

/** Whether a number lost digits when its JSON was read: a sequence that commits to amounts has 64 bits. */
export const isRounded = (value: unknown): boolean => typeof value === 'number' && !Number.isSafeInteger(value)

const FIELDS = ['transactionId', 'index', 'sequence'] as const

const scriptOf = ({ signatureScript }: Input): string =>
  typeof signatureScript === 'string' ? signatureScript.toLowerCase() : ''

/** The last byte of the first signature: a push of 65 bytes (0x41). Null for a script of another form. */
const sighashTypeOf = (script: string): number | null =>
  /^41[0-9a-f]{130}/.test(script) ? parseInt(script.slice(130, 132), 16) : null

function readInputs(text: string): readonly Input[] | null {
  try {
    const transaction = JSON.parse(text) as { readonly inputs?: unknown } | null
    return Array.isArray(transaction?.inputs) ? transaction.inputs.map(toInput) : null
  } catch {
    return null // not JSON
  }
}

const toInput = (input: unknown): Input => (typeof input === 'object' && input !== null ? input : {})

const unexpected = (signed: string, details: string): ChainWalletError =>
  new ChainWalletError('signPskt', signed, {
    code: 'unexpected-answer',
    details,
    hint: 'Do not pass on the signed transaction in `cause`. Name every input, or use a wallet that signs single inputs.',
  })
