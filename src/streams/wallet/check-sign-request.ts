import { refuseArgument } from '../../errors/wallet-refusal.js'
import type {
  WalletInputToSign,
  WalletSignInput,
  WalletSignPsktOptions,
  WalletSignRequest,
} from '../../wallets/port.js'

const ALL = 1

const SIGHASH_TYPES: readonly number[] = [ALL, 2, 4, 129, 130, 132]

/** A transaction with the inputs that are to be signed, each with its sighash type. Throws `ChainWalletError`. */
export function checkSignRequest(txJson: string, { signInputs }: WalletSignPsktOptions = {}): WalletSignRequest {
  const count = countInputs(txJson)
  const chosen = signInputs?.map((input, at) => checkInput(input, at, count)) ?? everyInput(count)
  return { txJson, signInputs: chosen, scope: isEverything(chosen, count) ? 'all' : 'some' }
}

const refuse = (argument: string, story: string, hint: string) =>
  refuseArgument('signPskt', argument, new TypeError(story), hint)

function countInputs(txJson: unknown): number {
  const hint = "Pass the SDK's safe JSON of an unsigned transaction: serializeToSafeJSON()."
  const inputs = parseInputs(txJson)
  if (inputs === null) throw refuse('txJson', 'This is not the JSON of a transaction', hint)
  return inputs.length
}

function parseInputs(txJson: unknown): readonly unknown[] | null {
  try {
    const transaction: unknown = typeof txJson === 'string' ? JSON.parse(txJson) : null
    if (typeof transaction !== 'object' || transaction === null || !('inputs' in transaction)) return null
    return Array.isArray(transaction.inputs) ? transaction.inputs : null
  } catch {
    return null // what is no JSON at all is no transaction either; the text may hold more than an error should
  }
}

function checkInput(input: WalletSignInput, at: number, count: number): WalletInputToSign {
  const { index, sighashType = ALL } = input
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    const argument = `options.signInputs[${at}].index`
    throw refuse(argument, `The transaction has no input ${index}`, `Inputs are counted from 0; there are ${count}.`)
  }
  if (!SIGHASH_TYPES.includes(sighashType)) {
    const hint = `Use one of ${SIGHASH_TYPES.join(', ')}.`
    throw refuse(`options.signInputs[${at}].sighashType`, `${sighashType} is no sighash type`, hint)
  }
  return { index, sighashType }
}

const everyInput = (count: number): WalletInputToSign[] =>
  Array.from({ length: count }, (_, index) => ({ index, sighashType: ALL }))

const isEverything = (chosen: readonly WalletInputToSign[], count: number): boolean =>
  new Set(chosen.map(({ index }) => index)).size === count && chosen.every(({ sighashType }) => sighashType === ALL)
