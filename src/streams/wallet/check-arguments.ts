import { refuseArgument } from '../../errors/wallet-error.js'
import { isPskb } from '../../model/pskb-text.js'
import type {
  Wallet,
  WalletInputToSign,
  WalletSignInput,
  WalletSignPsktOptions,
  WalletSignRequest,
} from '../../wallets/port.js'
import { cannotSignCalls } from './prompt-errors.js'
import { isRounded } from './check-signed.js'

/**
 * A call of the wallet's own methods: one that no operation covers, with params that are plain JSON. Throws
 * `ChainWalletError` (`invalid-argument`).
 */
export function checkRequest({ covered }: Pick<Wallet, 'covered'>, method: unknown, params: unknown): void {
  if (typeof method !== 'string' || method === '') {
    const hint = "Name a method from the wallet's own documentation."
    throw refuseArgument('request', 'method', new TypeError('Not the name of a method'), hint)
  }
  const own = Object.hasOwn(covered, method) ? covered[method] : undefined
  if (own !== undefined) {
    const cause = new TypeError(`${method} is offered by this library, with its checks`)
    throw refuseArgument('request', 'method', cause, `Use \`${own}\` of the wallet instead.`)
  }
  if (!isJson(params)) {
    const hint = 'Write amounts as the wallet documents them: no wallet accepts a bigint.'
    throw refuseArgument('request', 'params', new TypeError('The params are not JSON'), hint)
  }
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false // a bigint or a circular reference; KasWare rejects it, Kastle never responds
  }
}

/** A non-empty string. Checked here because wallets differ: one rejects the empty message, the other signs it. */
export function checkMessage(message: unknown): string {
  if (typeof message !== 'string' || message === '') {
    const cause = new TypeError('The message is not a string, or empty')
    throw refuseArgument('signMessage', 'message', cause, 'Pass a non-empty string.')
  }
  return message
}

/** A bundle as text. Throws `ChainWalletError` (`invalid-argument`). */
export function checkPskb(text: unknown): string {
  if (isPskb(text)) return text
  const cause = new TypeError('The text is no bundle: "PSKB" and hex, at most 1 MiB')
  throw refuseArgument('signPskb', 'text', cause, 'Pass what toPskb() returns. A transaction as JSON takes signPskt().')
}

/** An optional object argument. Callers without types pass anything. Throws `ChainWalletError`. */
export function checkRecord<T extends object>(operation: string, argument: string, value: T | undefined): Partial<T> {
  if (value === undefined) return {}
  if (typeof value === 'object' && (value as T | null) !== null) return value
  throw refuseArgument(operation, argument, new TypeError('Not an object'), 'Pass an object, or leave it out.')
}

const ALL = 1

const SIGHASH_TYPES: readonly number[] = [ALL, 2, 4, 129, 130, 132]

/** A transaction and its inputs to sign, each with its sighash type. Throws `ChainWalletError`. */
export function checkSignRequest(txJson: string, options?: WalletSignPsktOptions): WalletSignRequest {
  const count = countInputs(txJson)
  const { signInputs } = checkRecord('signPskt', 'options', options)
  if (signInputs === undefined) return { txJson, signInputs: everyInput(count), inputs: 'all' }
  return { txJson, signInputs: checkInputs(signInputs, count), inputs: 'named' }
}

const refuse = (argument: string, reason: string, hint: string) =>
  refuseArgument('signPskt', argument, new TypeError(reason), hint)

function countInputs(txJson: unknown): number {
  const hint = "Pass the SDK's safe JSON of an unsigned transaction: serializeToSafeJSON()."
  const { version, inputs } = parseTransaction(txJson) ?? {}
  if (inputs === undefined) throw refuse('txJson', 'This is not the JSON of a transaction', hint)
  if (Number(version) >= 1) throw cannotSignCalls() // of contracts
  if (inputs.length === 0) throw refuse('txJson', 'The transaction has no inputs', hint)
  if (inputs.some((input) => isRounded((input as { readonly sequence?: unknown } | null)?.sequence)))
    throw refuse('txJson', 'A sequence above 2^53 is no text', 'Safe JSON has it as decimal text: no digit is lost.')
  return inputs.length
}

/** The parts of a transaction that are checked here; null for what is none. */
function parseTransaction(txJson: unknown): { readonly version: unknown; readonly inputs: readonly unknown[] } | null {
  try {
    const transaction: unknown = typeof txJson === 'string' ? JSON.parse(txJson) : null
    if (typeof transaction !== 'object' || transaction === null || !('inputs' in transaction)) return null
    const { inputs } = transaction
    return Array.isArray(inputs) ? { version: 'version' in transaction ? transaction.version : 0, inputs } : null
  } catch {
    return null // invalid JSON; the text is not put into an error, since it may contain secrets
  }
}

function checkInputs(inputs: readonly WalletSignInput[], count: number): WalletInputToSign[] {
  const argument = 'options.signInputs'
  if (!Array.isArray(inputs) || inputs.length === 0) {
    throw refuse(argument, 'No input is named', 'Name one or more, as { index: 0 }; leave the list out for all.')
  }
  const chosen = inputs.map((input: WalletSignInput, at) => checkInput(`${argument}[${at}]`, input, count))
  if (new Set(chosen.map(({ index }) => index)).size < chosen.length) {
    throw refuse(argument, 'An input is named twice', 'Name each input once: an input takes one signature.')
  }
  return chosen
}

function checkInput(argument: string, input: WalletSignInput, count: number): WalletInputToSign {
  const { index = -1, sighashType = ALL } = checkRecord('signPskt', argument, input)
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    const hint = `Inputs are counted from 0; there are ${count}.`
    throw refuse(`${argument}.index`, 'The transaction has no such input', hint)
  }
  if (!SIGHASH_TYPES.includes(sighashType)) {
    const hint = `Use one of ${SIGHASH_TYPES.join(', ')}.`
    throw refuse(`${argument}.sighashType`, `${sighashType} is no sighash type`, hint)
  }
  return { index, sighashType }
}

const everyInput = (count: number): WalletInputToSign[] =>
  Array.from({ length: count }, (_, index) => ({ index, sighashType: ALL }))
