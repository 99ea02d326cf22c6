import { invalidArgument, type ChainError } from '../../errors/chain-error.js'

/** What the text of an account says, before its keys are checked. */
export interface DescriptorParts {
  readonly threshold: number
  readonly keys: readonly string[]
  readonly ecdsa: boolean
}

/** The names of the forms: that of other wallets, and the one with ECDSA signatures, which only this library has. */
const NAMES = { schnorr: 'multi_hd45', ecdsa: 'multi_hd45_ecdsa' } as const

/** Enough for the most keys, each with a blank before it. */
const MAX_LENGTH = 2_000

const FORM = /^(?<name>multi_hd45|multi_hd45_ecdsa)\((?<threshold>[0-9]{1,3})(?<keys>(?:, ?[^\s,()]+)+)\)$/

/** The text of an account: two accounts are equal where it is. */
export const writeDescriptor = ({ threshold, keys, ecdsa }: DescriptorParts): string =>
  `${ecdsa ? NAMES.ecdsa : NAMES.schnorr}(${[threshold, ...keys].join(',')})`

/** Reads the text of an account. Throws `ChainError` (`invalid-argument`, `descriptor`), which never quotes it. */
export function readDescriptor(text: unknown): DescriptorParts {
  if (typeof text !== 'string') throw malformed('is not a string')
  if (text.length > MAX_LENGTH) throw malformed('is too long')
  const { name, threshold = '', keys = '' } = FORM.exec(text.trim())?.groups ?? {}
  if (name === undefined) throw malformed('has another form')
  return {
    threshold: Number(threshold),
    keys: keys
      .split(',')
      .slice(1)
      .map((key) => key.trim()),
    ecdsa: name === NAMES.ecdsa,
  }
}

const malformed = (what: string): ChainError =>
  invalidArgument('descriptor', `The descriptor ${what}`, 'It reads multi_hd45(2,kpub…,kpub…,kpub…), on one line.')
