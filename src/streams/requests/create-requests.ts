import { firstValueFrom, forkJoin, map } from 'rxjs'
import { BoundedMap } from '../../model/bounded-collections.js'
import { toPaymentUri } from '../../model/payment-uri.js'
import type { NodeLink } from '../session/node-link.js'
import { RequestFollower, type FollowRequestsDeps, readSinkScore$ } from './follow-requests.js'
import { createFollowedRequest } from './followed-request.js'
import type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from './requests.js'
import { isSameStored, isStored, toStored, toTerms, type RequestTerms, checkTerms } from './terms.js'
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

/** The address of a request, with its index on the account. */
interface RequestPlace {
  readonly address: string
  readonly index?: number | undefined
}

interface UnusedAddressDeps extends Pick<NodeLink, 'call'> {
  /** Whether another request has the address; where not, it has it from now on. */
  readonly reserve: (address: string) => boolean
}

/**
 * An address that has received nothing, as far as the node knows: the given one, or the next one of the account.
 * Rejects with `ChainError` (`invalid-argument`) for a given one that was used.
 */
async function unusedAddress(
  { address, account }: Pick<PaymentRequestSettings, 'address' | 'account'>,
  deps: UnusedAddressDeps,
): Promise<RequestPlace> {
  if (address !== undefined) {
    if (!deps.reserve(address)) throw secondRequest()
    if (await isUsed(address, deps)) throw usedAddress()
    return { address }
  }
  for (;;) {
    const place = await account?.next()
    if (place === undefined) throw new RangeError('A request has an address or an account') // checked before
    if (deps.reserve(place.address) && !(await isUsed(place.address, deps))) return place
  }
}

/** Whether the UTXO index or the mempool has an output of the address. */
const isUsed = (address: string, { call }: UnusedAddressDeps): Promise<boolean> =>
  firstValueFrom(
    forkJoin([
      call('getUtxosByAddresses', { addresses: [address] }),
      call('getMempoolEntriesByAddresses', {
        addresses: [address],
        includeOrphanPool: false,
        filterTransactionPool: false,
      }),
    ]).pipe(
      map(
        ([utxos, mempool]) => utxos.entries.length > 0 || mempool.entries.some(({ receiving }) => receiving.length > 0),
      ),
    ),
  )

const secondRequest = () =>
  invalidArgument(
    'address',
    'Another payment request has this address',
    'Give each request an address of its own, or open the stored request.',
  )

const usedAddress = () =>
  invalidArgument(
    'address',
    'The address has received payments before',
    'Give each request an address of its own: `account` takes the next unused one.',
  )
