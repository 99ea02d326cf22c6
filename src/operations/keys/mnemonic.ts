import type { MnemonicInfo } from '../../model/key.js'
import type { MnemonicSecret, SdkPort } from '../../sdk/port.js'
import { checkText } from './arguments.js'
import { refuse } from './refusal.js'

/** A fresh phrase. */
export function generateMnemonic(sdk: SdkPort, wordCount: 12 | 24): MnemonicInfo {
  if ([12, 24].includes(wordCount)) return { phrase: sdk.generateMnemonic(wordCount), wordCount }
  throw refuse('generateMnemonic', {
    code: 'invalid-argument',
    argument: 'wordCount',
    story: `There are no phrases of ${String(wordCount)} words`,
    hint: '12 or 24.',
  })
}

/** Whether a phrase is one. */
export const isValidMnemonic = (sdk: SdkPort, phrase: string): boolean =>
  typeof phrase === 'string' && sdk.isValidMnemonic(phrase)

/** What an HD wallet grows from, once the phrase has been found to be one. */
export function checkMnemonic(sdk: SdkPort, operation: string, phrase: string, passphrase = ''): MnemonicSecret {
  checkText(operation, 'phrase', phrase)
  checkText(operation, 'passphrase', passphrase)
  if (sdk.isValidMnemonic(phrase)) return { phrase, passphrase }
  throw refuse(operation, {
    code: 'invalid-mnemonic',
    argument: 'phrase',
    story: toStory(phrase),
    hint: 'A phrase is 12 or 24 English BIP-39 words in lower case, with single spaces between.',
  })
}

/** Counts words, and quotes none. */
function toStory(phrase: string): string {
  const count = phrase.trim() === '' ? 0 : phrase.trim().split(/\s+/).length
  return count === 12 || count === 24
    ? 'A word is not in the English list, the spacing is not single, or the checksum does not fit'
    : `The phrase has ${count} words`
}
