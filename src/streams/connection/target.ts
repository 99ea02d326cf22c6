import type { ChainNetwork, RpcEncoding } from '../../model/network.js'

/** The nodes that a connection may use: any node of the network at these URLs or from a resolver. */
export interface Target {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** In order of preference. */
  readonly urls: readonly string[]
  /** Whether a resolver may provide further URLs. */
  readonly resolver: 'use' | 'skip'
}

/** A source of a node URL: a configured URL or a resolver. */
export type Candidate = { readonly via: 'url'; readonly url: string } | { readonly via: 'resolver' }

/** The candidates of a target, in order of preference. */
export function candidatesOf(target: Target): readonly Candidate[] {
  const given = target.urls.map((url): Candidate => ({ via: 'url', url }))
  return target.resolver === 'use' ? [...given, { via: 'resolver' }] : given
}

/** Whether two targets are equal. */
export function isSameTarget(a: Target, b: Target): boolean {
  return (
    a.network === b.network &&
    a.encoding === b.encoding &&
    a.resolver === b.resolver &&
    a.urls.length === b.urls.length &&
    a.urls.every((url, at) => url === b.urls[at])
  )
}

/** Whether all URLs are loopback addresses, which work without a network. */
export function isLocal(target: Target): boolean {
  return target.resolver === 'skip' && target.urls.every((url) => LOOPBACK.test(url))
}

const LOOPBACK = /^wss?:\/\/(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i
