import { ChainError } from '../../errors/chain-error.js'
import { decodeAddress, isValidAddress } from '../../model/address.js'
import { isHex, toHex } from '../../model/hex.js'
import type { VerificationPort } from '../../sdk/port.js'
import { cryptoError } from './crypto-failure.js'
import type { SignedMessage } from './messages.js'

/** Whether the key of a Schnorr address signed the message; false for malformed input. */
export function verifyAddressMessage(port: Pick<VerificationPort, 'verifyMessage'>, signed: SignedMessage): boolean {
  const { address, message, signature } = checkTypes(signed)
  if (!isValidAddress(address)) return false
  const publicKey = keyOf(address)
  const signatureHex = signature.toLowerCase()
  if (!isHex(signatureHex, 64) || /\p{Surrogate}/u.test(message)) return false
  try {
    return port.verifyMessage(message, signatureHex, publicKey)
  } catch (error) {
    if (error instanceof ChainError) throw error
    return false // the key of the address is not a point of the curve
  }
}

function checkTypes(signed: SignedMessage): SignedMessage {
  for (const argument of ['address', 'message', 'signature'] as const) {
    if (typeof (signed as Partial<SignedMessage> | null)?.[argument] === 'string') continue
    throw cryptoError('verifyMessage', {
      code: 'invalid-argument',
      argument,
      reason: `"${argument}" is not a string`,
      hint: 'Pass { address, message, signature }, or message, signature and publicKeyHex.',
    })
  }
  return signed
}

/** The x-only key of a Schnorr address, hex. */
export function keyOf(address: string, operation = 'verifyMessage'): string {
  const { version, payload } = decodeAddress(address)
  if (version === 'PubKey') return toHex(payload)
  throw cryptoError(operation, {
    code: 'unsupported-address',
    argument: 'address',
    reason: `A message cannot be verified with ${version === 'PubKeyECDSA' ? 'an ECDSA' : 'a script-hash'} address`,
    hint: 'Use the Schnorr address of the key, which begins with q after the colon.',
  })
}
