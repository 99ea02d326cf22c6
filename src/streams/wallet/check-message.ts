import { refuseArgument } from '../../errors/wallet-refusal.js'

/** A text that can be signed. One wallet refuses the empty text and the other signs it: neither is asked to. */
export function checkMessage(message: unknown): string {
  if (typeof message !== 'string' || message === '') {
    const cause = new TypeError('What is signed is a text that is not empty')
    throw refuseArgument('signMessage', 'message', cause, 'Pass the text that the user is to sign.')
  }
  return message
}
