import type { WalletInfo } from '../port.js'

/** Control characters, zero-width and bidirectional ones included: they hide or reorder other characters. */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Scripts that share similar letters; one name uses one of them. */
const SCRIPTS: readonly RegExp[] = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/** Scripts that are written together with Latin, without similar letters. */
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u

/** Latin letters of phonetic alphabets, which NFKC keeps: small capitals and others that look like plain letters. */
const PHONETIC = /[\u0250-\u02af\u1d00-\u1dbf\u2c60-\u2c7f\ua720-\ua7ff\uab30-\uab6f]/u

/** A text from the page as it is shown: NFKC, without invisible characters, single spaces. */
export const normalizeText = (text: string): string =>
  text.normalize('NFKC').replace(INVISIBLE, '').normalize('NFKC').replace(/\s+/gu, ' ').trim()

/**
 * Whether a name has letters of several scripts, such as Latin with one Cyrillic letter that looks the same, or
 * phonetic ones.
 */
export function isMixedScript(name: string): boolean {
  const letters = Array.from(name).filter((character) => /\p{L}/u.test(character) && isOfOneScript(character))
  return PHONETIC.test(name) || new Set(letters.map(scriptOf)).size > 1
}

/** Letters common to several scripts and those of East Asia are compatible with every script. */
const isOfOneScript = (letter: string): boolean => !EAST_ASIAN.test(letter) && !/\p{Script=Common}/u.test(letter)

/** The index of a letter's script; all remaining scripts count as one. */
const scriptOf = (letter: string): number => SCRIPTS.findIndex((script) => script.test(letter))

/** The name for comparison: lower case, letters and digits only, without accents and a trailing "wallet". */
export const toComparableName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/(wallet|extension)$/, '')

/** Names and domains of the built-in wallets. No announcement can take them. */
const KNOWN_NAMES: readonly string[] = ['kasware', 'kastle']
const KNOWN_DOMAINS: readonly string[] = ['xyz.kasware', 'cc.kastle']

/**
 * Whether an announcement has the name or domain of a built-in wallet. That wallet is found at its property of
 * `window`; a second entry would be a duplicate, or an impostor.
 */
export const isKnownWallet = ({ name, rdns }: Pick<WalletInfo, 'name' | 'rdns'>): boolean =>
  KNOWN_NAMES.includes(toComparableName(name)) ||
  KNOWN_DOMAINS.some((domain) => `${rdns ?? ''}.`.toLowerCase().startsWith(`${domain}.`))
