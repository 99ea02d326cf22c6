import { generateMnemonic as generate, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { MnemonicSecret } from '../port.js'

export const generateMnemonic = (wordCount: 12 | 24): string => generate(wordlist, wordCount === 12 ? 128 : 256)

export const isValidMnemonic = (phrase: string): boolean => validateMnemonic(phrase, wordlist)

/** The seed of a mnemonic whose checksum was checked. */
export const toSeed = ({ phrase, passphrase }: MnemonicSecret): Uint8Array => mnemonicToSeedSync(phrase, passphrase)
