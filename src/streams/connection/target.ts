import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

/** What a connection is sought for: any node of a network that one of these ways leads to. */
export interface Target {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** Endpoints, in the order of preference. */
  readonly urls: readonly string[]
  /** Whether a resolver may be asked for further ones. */
  readonly resolver: 'ask' | 'leave'
}

/** One way to a node: an endpoint that was given, or whatever a resolver answers. */
export type Candidate = { readonly via: 'url'; readonly url: string } | { readonly via: 'resolver' }

/** The ways of a target, in the order of preference. */
export function candidatesOf(target: Target): readonly Candidate[] {
  const given = target.urls.map((url): Candidate => ({ via: 'url', url }))
  return target.resolver === 'ask' ? [...given, { via: 'resolver' }] : given
}

/** Whether two targets mean the same connection. */
export function isSameTarget(a: Target, b: Target): boolean {
  return (
    a.network === b.network &&
    a.encoding === b.encoding &&
    a.resolver === b.resolver &&
    a.urls.length === b.urls.length &&
    a.urls.every((url, at) => url === b.urls[at])
  )
}

/** Whether a target lies wholly on this machine, so that having no network is no obstacle. */
export function isLocal(target: Target): boolean {
  return target.resolver === 'leave' && target.urls.every((url) => LOOPBACK.test(url))
}

const LOOPBACK = /^wss?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i
