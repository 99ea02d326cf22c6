import { refuseArgument } from '../../errors/wallet-refusal.js'

/** A non-empty string. Checked here because wallets differ: one rejects the empty message, the other signs it. */
export function checkMessage(message: unknown): string {
  if (typeof message !== 'string' || message === '') {
    const cause = new TypeError('The message is not a string, or empty')
    throw refuseArgument('signMessage', 'message', cause, 'Pass a non-empty string.')
  }
  return message
}
