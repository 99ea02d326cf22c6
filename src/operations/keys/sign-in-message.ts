import { isAddressPrefix, NETWORKS, type AddressPrefix, type ChainNetwork } from '../../model/network.js'
import { decodeAddress, isValidAddress } from '../../model/address.js'
import { cryptoError } from './crypto-failure.js'
import { keyOf } from './verify-address-message.js'

/** The facts of a sign-in message. */
export interface SignInFields {
  /** The host of the site, with a port where there is one: `example.com`. */
  readonly domain: string
  /** The Schnorr address that signs; its prefix binds the message to a network. */
  readonly address: string
  /** At least 8 letters and digits, new for each sign-in, from the server. */
  readonly nonce: string
  /** Unix time, ms. */
  readonly issuedAt: number
  /** Unix time, ms; later than `issuedAt`. */
  readonly expiresAt: number
  /** One line for the user. @default none */
  readonly statement?: string | undefined
}

/** Names of the networks in messages. Both testnets share their addresses, hence one name. */
const NETWORK_NAMES: Readonly<Record<AddressPrefix, string>> = {
  kaspa: 'mainnet',
  kaspatest: 'testnet',
  kaspasim: 'simnet',
  kaspadev: 'devnet',
}

const DOMAIN = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/
const NONCE = /^[A-Za-z0-9]{8,128}$/
const STATEMENT = /^[^\p{Cc}\p{Surrogate}\u2028\u2029]{1,500}$/u

/**
 * The text of a sign-in message, to be signed with `signMessage` or by a browser wallet. The shape is that of EIP-4361;
 * no such standard exists for Kaspa. Throws `ChainCryptoError` (`invalid-argument`, `unsupported-address`).
 */
export function createSignInMessage(fields: SignInFields): string {
  checkFields(fields)
  return toText(fields)
}

function toText({ domain, address, nonce, issuedAt, expiresAt, statement }: SignInFields): string {
  return [
    `${domain} wants you to sign in with your Kaspa account:`,
    address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: https://${domain}`,
    'Version: 1',
    `Network: ${networkNameOf(address)}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(expiresAt).toISOString()}`,
  ].join('\n')
}

/** Whether an address belongs to `network`. */
export const isAddressOf = (address: string, network: ChainNetwork): boolean =>
  address.startsWith(`${NETWORKS[network].addressPrefix}:`)

const FORM =
  /^(?<domain>\S+) wants you to sign in with your Kaspa account:\n(?<address>\S+)\n\n(?:(?<statement>.+)\n)?\nURI: \S+\nVersion: 1\nNetwork: \w+\nNonce: (?<nonce>\w+)\nIssued At: (?<issuedAt>\S+)\nExpiration Time: (?<expiresAt>\S+)$/u

/** The facts of a message; undefined where `createSignInMessage` would not create exactly this text from them. */
export function parseSignInMessage(text: string): SignInFields | undefined {
  const groups = FORM.exec(text)?.groups
  if (groups === undefined) return undefined
  const { domain = '', address = '', nonce = '', issuedAt = '', expiresAt = '', statement } = groups
  const fields = { domain, address, nonce, issuedAt: Date.parse(issuedAt), expiresAt: Date.parse(expiresAt), statement }
  const isValid = invalidField(fields) === undefined && hasKey(address) && toText(fields) === text
  return isValid ? fields : undefined
}

/** Whether signatures of a valid address can be verified. */
const hasKey = (address: string): boolean => decodeAddress(address).version === 'PubKey'

function networkNameOf(address: string): string {
  const [prefix = ''] = address.split(':')
  return isAddressPrefix(prefix) ? NETWORK_NAMES[prefix] : ''
}

function checkFields(fields: SignInFields): void {
  const invalid = invalidField(fields)
  if (invalid !== undefined) {
    const [argument, hint] = invalid
    const reason = `"${argument}" is not valid in a sign-in message`
    throw cryptoError('createSignInMessage', { code: 'invalid-argument', argument, reason, hint })
  }
  keyOf(fields.address, 'createSignInMessage') // throws for ECDSA and script-hash addresses
}

/** The first invalid field, with its remedy. */
function invalidField(fields: SignInFields): readonly [argument: keyof SignInFields, hint: string] | undefined {
  const { domain, address, nonce, issuedAt, expiresAt, statement } = fields
  const matches = (text: unknown, form: RegExp): boolean => typeof text === 'string' && form.test(text)
  if (!matches(domain, DOMAIN)) return ['domain', 'A host in lower case, with a port where there is one: example.com.']
  if (!isValidAddress(address)) return ['address', 'A Kaspa address with its prefix.']
  if (!matches(nonce, NONCE)) return ['nonce', '8 to 128 letters and digits.']
  if (!isTime(issuedAt)) return ['issuedAt', 'Unix time in ms.']
  if (!isTime(expiresAt) || expiresAt <= issuedAt) return ['expiresAt', 'Unix time in ms, later than issuedAt.']
  if (statement !== undefined && !matches(statement, STATEMENT))
    return ['statement', 'One line of up to 500 characters.']
  return undefined
}

/** From 1970 to the last four-digit year. */
const isTime = (time: unknown): boolean =>
  Number.isInteger(time) && Number(time) >= 0 && Number(time) < 253_402_300_800_000
