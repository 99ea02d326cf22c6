import { checkedVerification, checkedVerifyMessage } from '../checked-port.js'
import type { VerificationPort } from '../port.js'
import { addressOf, verifyMessage } from './message.js'
import { isValidMnemonic } from './mnemonic.js'

/** The functions that need no secret, without WASM. */
export const verificationPort: VerificationPort = /*#__PURE__*/ checkedVerification({
  isValidMnemonic,
  address: addressOf,
  verifyMessage,
})

/** The verification of messages alone: half the size, without the word list. */
export const messagePort: Pick<VerificationPort, 'verifyMessage'> = /*#__PURE__*/ (() => ({
  verifyMessage: checkedVerifyMessage(verifyMessage),
}))()
