import { invalidArgument, type ChainError } from '../errors/chain-error.js'
import { decodeAddress, isValidAddress } from './address.js'
import { MAX_SOMPI, isPossibleAmount, kaspaToSompi, sompiToKaspa } from './amount.js'
import { NETWORKS, isAddressPrefix, isChainNetwork, type ChainNetwork } from './network.js'

/** What a payment URI requests. */
export interface PaymentUriFields {
  readonly address: string
  /** In sompi; by default the payer chooses. */
  readonly amount?: bigint | undefined
  /** Who is paid, such as the name of a shop. Some wallets show it. */
  readonly label?: string | undefined
  /** What is paid, such as the number of an order. Some wallets show it. */
  readonly message?: string | undefined
}

/** What a payment URI was read as. */
export interface PaymentUri {
  readonly address: string
  /** In sompi; null where the payer chooses. */
  readonly amount: bigint | null
  /** Null where it is missing. */
  readonly label: string | null
  /** Null where it is missing. */
  readonly message: string | null
}

/** A longer one is no link and no QR code. */
const MAX_LENGTH = 4_096

/**
 * The URI of a payment as wallets read it, for links and QR codes:
 * `kaspa:qq…?amount=12.5&label=Shop&message=Order%2042`. The amount is in KAS, with a point and at most eight decimals;
 * the scheme is the prefix of the address, `kaspatest` on test networks. Nothing else is written: no wallet reads it.
 * Throws `ChainError` (`invalid-argument`) for an invalid address, for amounts that no output can have, and for texts
 * that are not well-formed Unicode or make the URI longer than 4,096 characters.
 */
export function toPaymentUri({ address, amount, label, message }: PaymentUriFields): string {
  decodeAddress(address)
  if (amount !== undefined && !(typeof amount === 'bigint' && isPossibleAmount(amount)))
    throw invalidArgument('amount', '"amount" is no amount of an output', `A bigint of sompi from 1 to ${MAX_SOMPI}.`)
  const parameters = [
    ...(amount === undefined ? [] : [`amount=${sompiToKaspa(amount)}`]),
    ...(label === undefined ? [] : [`label=${escaped('label', label)}`]),
    ...(message === undefined ? [] : [`message=${escaped('message', message)}`]),
  ]
  const uri = parameters.length === 0 ? address : `${address}?${parameters.join('&')}`
  if (uri.length <= MAX_LENGTH) return uri
  throw invalidArgument('message', `The URI has ${uri.length} characters`, `At most ${MAX_LENGTH}: shorten the texts.`)
}

/** Wallets read no `+` as a space, so that every character but letters, digits and `-_.!~*'()` is escaped. */
function escaped(argument: string, text: string): string {
  try {
    if (typeof text === 'string') return encodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error // half of a surrogate pair
  }
  throw invalidArgument(argument, `"${argument}" is no well-formed text`)
}

/**
 * Reads the URI of a payment on `network`, for wallets. The scheme may be in upper case, parameters of other names are
 * passed over. Throws `ChainError` (`invalid-argument`), which does not repeat the text, for one that a wallet could
 * take for another payment: an address of another network or with a wrong checksum, an amount that is no decimal of at
 * most eight places or that no output can have, a parameter given twice, a second `?`, and a parameter `req-…`, which
 * its writer wants refused where it is not understood.
 */
export function parsePaymentUri(text: string, network: ChainNetwork): PaymentUri {
  if (!isChainNetwork(network)) throw invalidArgument('network', `There is no network "${String(network)}"`)
  const refuse = (what: string, hint?: string): ChainError => invalidArgument('text', `The URI ${what}`, hint)
  if (typeof text !== 'string' || text.length > MAX_LENGTH)
    throw refuse(`is no text of at most ${MAX_LENGTH} characters`)
  const [target = '', query, ...more] = text.split('?')
  if (more.length > 0) throw refuse('has two question marks', 'Escape a "?" in a label or message as %3F.')
  const address = target.replace(/^[^:]*/, (scheme) => scheme.toLowerCase())
  const prefix = address.slice(0, Math.max(address.indexOf(':'), 0))
  if (!isAddressPrefix(prefix)) throw refuse('does not begin with the prefix of an address')
  if (!isValidAddress(address)) throw refuse('has no valid address')
  if (prefix !== NETWORKS[network].addressPrefix) throw refuse(`is of another network than ${network}`)
  const parameters = readParameters(query ?? '', refuse)
  const amount = parameters.get('amount')
  return {
    address,
    amount: amount === undefined ? null : readAmount(amount, refuse),
    label: parameters.get('label') ?? null,
    message: parameters.get('message') ?? null,
  }
}

type Refuse = (what: string, hint?: string) => ChainError

function readParameters(query: string, refuse: Refuse): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const part of query.split('&').filter((text) => text !== '')) {
    const end = part.indexOf('=')
    const name = unescaped(end < 0 ? part : part.slice(0, end), refuse)
    if (name.toLowerCase().startsWith('req-')) throw refuse('requires what this library does not know')
    if (parameters.has(name)) throw refuse('has a parameter twice')
    parameters.set(name, end < 0 ? '' : unescaped(part.slice(end + 1), refuse))
  }
  return parameters
}

function unescaped(text: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) throw refuse('is not escaped as URIs are')
    throw error
  }
}

function readAmount(text: string, refuse: Refuse): bigint {
  if (!/^\d{1,11}(\.\d{1,8})?$/.test(text))
    throw refuse('has an amount that is no decimal number of KAS', 'Such as 12.5, with at most eight decimals.')
  const amount = kaspaToSompi(text)
  if (!isPossibleAmount(amount)) throw refuse('has an amount that no output can have')
  return amount
}
