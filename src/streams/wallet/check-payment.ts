import { refuseArgument } from '../../errors/wallet-refusal.js'
import { isValidAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { checkRecord } from './check-record.js'
import type { WalletPayment, WalletSendOptions } from '../../wallets/port.js'

/** What a transaction can hold, sompi: a u64. */
const MOST = 2n ** 64n - 1n

/** A payment that can be meant, by an account at `from`. Throws `ChainWalletError` (`invalid-argument`). */
export function checkPayment(from: string, to: string, amount: bigint, options?: WalletSendOptions): WalletPayment {
  checkAddress(from, to)
  checkAmount('amount', amount, 1n)
  const { priorityFee = 0n, payload = '' } = checkRecord('sendKaspa', 'options', options)
  const fee = checkAmount('options.priorityFee', priorityFee, 0n)
  return { to, amount, priorityFee: fee, payload: checkPayload(payload) }
}

const refuse = (argument: string, cause: Error, hint: string) => refuseArgument('sendKaspa', argument, cause, hint)

/** All testnets share a prefix; which of them is meant, an address cannot say. */
function checkAddress(from: string, to: unknown): void {
  if (!isValidAddress(to)) throw refuse('to', new TypeError('This is no address'), 'Take it from the one who is paid.')
  const prefix = prefixOf(from)
  if (prefixOf(to) !== prefix) {
    const story = `The address belongs to another network: it begins with ${prefixOf(to)}:, the wallet's with ${prefix}:`
    throw refuse(
      'to',
      new Error(story),
      `Pay to an address that begins with ${prefix}:, or switch the wallet's network.`,
    )
  }
}

const prefixOf = (address: string): string => address.slice(0, address.indexOf(':'))

/** Callers without types pass numbers and texts. */
function checkAmount(argument: string, sompi: unknown, least: bigint): bigint {
  if (typeof sompi !== 'bigint') {
    throw refuse(argument, new TypeError(`An amount is a bigint, not a ${typeof sompi}`), 'Write sompi as 100000000n.')
  }
  if (sompi < least || sompi > MOST) {
    const story = `${sompi} sompi is not from ${least} to ${MOST}`
    throw refuse(argument, new RangeError(story), `Use ${least} sompi or more, and no more than there can be.`)
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
