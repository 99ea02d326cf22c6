import { invalidArgument } from '../../errors/chain-error.js'
import { isValidMnemonic } from '../../sdk/light/verification.js'

/** `kprv`, `ktrv`, `xprv` and those of other currencies, with enough characters to be a key. */
const EXTENDED_PRIVATE_KEY = /\b\w\wrv[1-9A-HJ-NP-Za-km-z]{20,}/

/**
 * Throws `ChainError` (`invalid-argument`), which quotes nothing, where a text in the arguments is a mnemonic or an
 * extended private key. A private key in hex has the form of a transaction id: no argument takes any other hex.
 */
export function refuseSecrets(value: unknown): void {
  if (typeof value === 'string') {
    if (EXTENDED_PRIVATE_KEY.test(value) || hasMnemonic(value)) throw refused()
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      refuseSecrets(name)
      refuseSecrets(item)
    }
  }
}

/** How many words a mnemonic of BIP-39 may have. The library makes those of 12 and 24, other wallets the others too. */
const LENGTHS = [12, 15, 18, 21, 24]

/** As many words with a valid checksum, at any place of a text. */
function hasMnemonic(text: string): boolean {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? []
  return LENGTHS.some((count) =>
    words.slice(count - 1).some((_, start) => {
      const candidate = words.slice(start, start + count)
      return candidate.every(hasWordLength) && isValidMnemonic(candidate.join(' '))
    }),
  )
}

/** Words of BIP-39 have 3 to 8 letters; hex has few letters in a row. */
const hasWordLength = ({ length }: string): boolean => length >= 3 && length <= 8

const refused = () =>
  invalidArgument(
    'arguments',
    'The arguments hold a mnemonic or a private key, which no tool takes',
    'Everyone who reads this conversation can spend the funds: move them to a new mnemonic.',
  )
