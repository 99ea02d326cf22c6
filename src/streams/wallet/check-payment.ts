import { refuseArgument } from '../../errors/wallet-error.js'
import { isValidAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { checkRecord } from './check-arguments.js'
import type { WalletOutput, WalletPayment, WalletSendOptions } from '../../wallets/port.js'

/** Largest amount of a transaction output, in sompi: a u64. */
const MAX_AMOUNT = 2n ** 64n - 1n

/** The arguments of a payment: one recipient, or several. */
export interface PaymentRequest {
  readonly operation: 'sendKaspa' | 'sendMany'
  readonly outputs: readonly (WalletOutput & {
    readonly names: { readonly address: string; readonly amount: string }
  })[]
  readonly options: WalletSendOptions | undefined
}

/** The request of `sendKaspa`. */
export const toPaymentRequest = (to: string, amount: bigint, options?: WalletSendOptions): PaymentRequest => ({
  operation: 'sendKaspa',
  outputs: [{ address: to, amount, names: { address: 'to', amount: 'amount' } }],
  options,
})

/** The request of `sendMany`. Callers without types pass anything. Throws `ChainWalletError` (`invalid-argument`). */
export function toManyPaymentRequest(outputs: readonly WalletOutput[], options?: WalletSendOptions): PaymentRequest {
  const operation = 'sendMany'
  if (!Array.isArray(outputs) || outputs.length === 0) {
    throw refuseArgument(
      operation,
      'outputs',
      new TypeError('No output is given'),
      'Pass one or more, as { address, amount }.',
    )
  }
  const named = outputs.map((output: WalletOutput, at) => {
    const names = { address: `outputs[${at}].address`, amount: `outputs[${at}].amount` }
    const { address = '', amount = 0n } = checkRecord(operation, `outputs[${at}]`, output)
    return { address, amount, names }
  })
  return { operation, outputs: named, options }
}

/** Validates a payment from the account at `from`. Throws `ChainWalletError` (`invalid-argument`). */
export function checkPayment(from: string, { operation, outputs, options }: PaymentRequest): WalletPayment {
  const refuse: Refuse = (argument, cause, hint) => refuseArgument(operation, argument, cause, hint)
  for (const { address, amount, names } of outputs) {
    checkAddress(refuse, names.address, from, address)
    checkAmount(refuse, names.amount, amount, 1n)
  }
  const { priorityFee = 0n, payload = '' } = checkRecord(operation, 'options', options)
  return {
    outputs: outputs.map(({ address, amount }) => ({ address, amount })),
    priorityFee: checkAmount(refuse, 'options.priorityFee', priorityFee, 0n),
    payload: checkPayload(refuse, payload),
  }
}

type Refuse = (argument: string, cause: Error, hint: string) => Error

/** Compares prefixes only: all testnets share one. */
function checkAddress(refuse: Refuse, argument: string, from: string, to: unknown): void {
  if (!isValidAddress(to))
    throw refuse(argument, new TypeError('Not a valid address'), 'Pass a Kaspa address, prefix included.')
  const prefix = prefixOf(from)
  if (prefixOf(to) !== prefix) {
    const reason = `The address is of another network: its prefix is ${prefixOf(to)}:, the wallet's is ${prefix}:`
    throw refuse(
      argument,
      new Error(reason),
      `Pay to an address that begins with ${prefix}:, or switch the wallet's network.`,
    )
  }
}

const prefixOf = (address: string): string => address.slice(0, address.indexOf(':'))

/** Callers without types pass numbers and strings. */
function checkAmount(refuse: Refuse, argument: string, sompi: unknown, minimum: bigint): bigint {
  if (typeof sompi !== 'bigint') {
    throw refuse(argument, new TypeError(`An amount is a bigint, not a ${typeof sompi}`), 'Write sompi as 100000000n.')
  }
  if (sompi < minimum || sompi > MAX_AMOUNT) {
    const reason = `${sompi} sompi is not from ${minimum} to ${MAX_AMOUNT}`
    throw refuse(argument, new RangeError(reason), `Use ${minimum} sompi or more, at most ${MAX_AMOUNT}.`)
  }
  return sompi
}

function checkPayload(refuse: Refuse, payload: unknown): string {
  const hex = typeof payload === 'string' ? payload.toLowerCase() : payload
  if (!isHex(hex)) {
    const hint = 'Write each byte as two of the digits 0 to 9 and a to f, without 0x.'
    throw refuse('options.payload', new TypeError('The payload is not hex'), hint)
  }
  return hex
}
