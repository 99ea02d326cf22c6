import type { MnemonicInfo } from '../../model/keys.js'
import type { MnemonicSecret, SdkPort, VerificationPort } from '../../sdk/port.js'
import { checkText } from './arguments.js'
import { cryptoError } from './crypto-failure.js'

/** A new random mnemonic. */
export function generateMnemonic(sdk: SdkPort, wordCount: 12 | 24): MnemonicInfo {
  if ([12, 24].includes(wordCount)) return { phrase: sdk.generateMnemonic(wordCount), wordCount }
  throw cryptoError('generateMnemonic', {
    code: 'invalid-argument',
    argument: 'wordCount',
    reason: `A mnemonic cannot have ${String(wordCount)} words`,
    hint: '12 or 24.',
  })
}

export const isValidMnemonic = (sdk: VerificationPort, mnemonic: string): boolean =>
  typeof mnemonic === 'string' && sdk.isValidMnemonic(mnemonic)

/** The validated mnemonic and passphrase, from which the seed is derived. */
export function checkMnemonic(sdk: SdkPort, operation: string, mnemonic: string, passphrase = ''): MnemonicSecret {
  checkText(operation, 'mnemonic', mnemonic)
  checkText(operation, 'passphrase', passphrase)
  if (sdk.isValidMnemonic(mnemonic)) return { phrase: mnemonic, passphrase }
  throw cryptoError(operation, {
    code: 'invalid-mnemonic',
    argument: 'mnemonic',
    reason: toReason(mnemonic),
    hint: 'A mnemonic is 12 or 24 English BIP-39 words in lower case, separated by single spaces.',
  })
}

/** Reports the number of words, never the words. */
function toReason(mnemonic: string): string {
  const count = mnemonic.trim() === '' ? 0 : mnemonic.trim().split(/\s+/).length
  return count === 12 || count === 24
    ? 'A word is not in the English list, the words are not separated by single spaces, or the checksum is wrong'
    : `The mnemonic has ${count} words`
}
