import { firstValueFrom } from 'rxjs'
import { BoundedMap } from '../../model/bounded-collections.js'
import { toPaymentUri } from '../../model/payment-uri.js'
import type { NodeLink } from '../session/node-link.js'
import { RequestFollower, type FollowRequestsDeps } from './follow-requests.js'
import { createFollowedRequest } from './followed-request.js'
import { readSinkScore$ } from './read-sink-score.js'
import type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from './requests.js'
import { isSameStored, isStored, toStored, toTerms, type RequestTerms, checkTerms } from './terms.js'
import { secondRequest, unusedAddress } from './unused-address.js'
import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'

const NAMES = [
  'amount',
  'address',
  'account',
  'expiresIn',
  'confirmations',
  'tolerance',
  'label',
  'message',
  'onCreated',
]

export interface RequestsDeps extends FollowRequestsDeps, Pick<NodeLink, 'network'> {}

/** Requests that are remembered, at most. */
const CAPACITY = 10_000

/** The payment requests of an engine: one for each address. */
export function createRequests(deps: RequestsDeps): PaymentRequests {
  const follower = new RequestFollower(deps)
  const opened = new BoundedMap<string, RequestedPayment>(CAPACITY)
  /** Addresses of requests that are being created. */
  const reserved = new Set<string>()

  function open(terms: RequestTerms): RequestedPayment {
    const stored = toStored(terms)
    const known = opened.get(terms.address)
    if (known !== undefined && isSameStored(known.stored, stored)) return known
    if (known !== undefined) throw secondRequest()
    const { address, amount, expiresAt } = terms
    const { state$ } = createFollowedRequest(terms, { ...deps, follow: follower.follow })
    const request = { stored, address, amount, expiresAt, uri: toPaymentUri(terms), state$ }
    opened.set(address, request)
    return request
  }

  async function create(settings: PaymentRequestSettings): Promise<RequestedPayment> {
    const fixed = checkSettings(settings, { network: deps.network(), now: deps.platform.now() })
    const own: string[] = []
    const reserve = (address: string): boolean => {
      if (opened.has(address) || reserved.has(address)) return false
      own.push(address)
      reserved.add(address)
      return true
    }
    try {
      const createdAt = await firstValueFrom(readSinkScore$(deps)) // before the address is looked up
      const terms = { ...fixed, ...(await unusedAddress(settings, { ...deps, reserve })), createdAt }
      await settings.onCreated?.(toStored(terms))
      return open(terms)
    } finally {
      for (const address of own) reserved.delete(address)
    }
  }

  return {
    create: async (request) => {
      if (!isStored(request)) return create(request)
      const terms = toTerms(request)
      if (reserved.has(terms.address)) throw secondRequest()
      return open(terms)
    },
  }
}

/** What settings fix by themselves. */
type CheckedSettings = Omit<RequestTerms, 'address' | 'index' | 'createdAt'>

/** Throws `ChainError` (`invalid-argument`) for settings that no request can have, before anything is sent. */
function checkSettings(
  settings: PaymentRequestSettings,
  { network, now }: { readonly network: ChainNetwork; readonly now: number },
): CheckedSettings {
  refuseUnknown(settings, NAMES)
  const {
    amount,
    address,
    account,
    expiresIn = 900_000,
    confirmations = 100,
    tolerance = 0n,
    label,
    message,
  } = settings
  if ((address === undefined) === (account === undefined))
    throw invalidArgument('address', 'A request needs "address" or "account", one of them')
  if (account !== undefined && account.network !== network)
    throw invalidArgument('account', `The account is of ${account.network}, and the engine's network is ${network}`)
  if (address !== undefined && !isValidAddress(address, network))
    throw invalidArgument('address', `"address" is no address of ${network}`)
  if (!(expiresIn > 0 && Number.isFinite(expiresIn)))
    throw invalidArgument('expiresIn', '"expiresIn" is no positive number of milliseconds')
  const terms = { network, amount, tolerance, confirmations, expiresAt: Math.round(now + expiresIn), label, message }
  checkTerms(terms)
  if (address !== undefined) toPaymentUri({ ...terms, address }) // the texts
  return terms
}
