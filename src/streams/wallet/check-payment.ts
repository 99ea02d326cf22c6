import { refuseArgument } from '../../errors/wallet-refusal.js'
import { isValidAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { checkRecord } from './check-record.js'
import type { WalletPayment, WalletSendOptions } from '../../wallets/port.js'

/** Largest amount of a transaction output, in sompi: a u64. */
const MAX_AMOUNT = 2n ** 64n - 1n

/** Validates a payment from the account at `from`. Throws `ChainWalletError` (`invalid-argument`). */
export function checkPayment(from: string, to: string, amount: bigint, options?: WalletSendOptions): WalletPayment {
  checkAddress(from, to)
  checkAmount('amount', amount, 1n)
  const { priorityFee = 0n, payload = '' } = checkRecord('sendKaspa', 'options', options)
  const fee = checkAmount('options.priorityFee', priorityFee, 0n)
  return { to, amount, priorityFee: fee, payload: checkPayload(payload) }
}

const refuse = (argument: string, cause: Error, hint: string) => refuseArgument('sendKaspa', argument, cause, hint)

/** Compares prefixes only: all testnets share one. */
function checkAddress(from: string, to: unknown): void {
  if (!isValidAddress(to))
    throw refuse('to', new TypeError('Not a valid address'), 'Pass a Kaspa address, prefix included.')
  const prefix = prefixOf(from)
  if (prefixOf(to) !== prefix) {
    const reason = `The address is of another network: its prefix is ${prefixOf(to)}:, the wallet's is ${prefix}:`
    throw refuse(
      'to',
      new Error(reason),
      `Pay to an address that begins with ${prefix}:, or switch the wallet's network.`,
    )
  }
}

const prefixOf = (address: string): string => address.slice(0, address.indexOf(':'))

/** Callers without types pass numbers and strings. */
function checkAmount(argument: string, sompi: unknown, minimum: bigint): bigint {
  if (typeof sompi !== 'bigint') {
    throw refuse(argument, new TypeError(`An amount is a bigint, not a ${typeof sompi}`), 'Write sompi as 100000000n.')
  }
  if (sompi < minimum || sompi > MAX_AMOUNT) {
    const reason = `${sompi} sompi is not from ${minimum} to ${MAX_AMOUNT}`
    throw refuse(argument, new RangeError(reason), `Use ${minimum} sompi or more, at most ${MAX_AMOUNT}.`)
  }
  return sompi
}

function checkPayload(payload: unknown): string {
  const hex = typeof payload === 'string' ? payload.toLowerCase() : payload
  if (!isHex(hex)) {
    const hint = 'Write each byte as two of the digits 0 to 9 and a to f, without 0x.'
    throw refuse('options.payload', new TypeError('The payload is not hex'), hint)
  }
  return hex
}
