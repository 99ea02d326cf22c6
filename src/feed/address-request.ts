/** A requested change of the watched addresses. */
export interface AddressRequest {
  readonly type: 'added' | 'deleted'
  readonly addresses: readonly string[]
  /** For added addresses: the cursor, or the hash of the chain block, from which they count. */
  readonly since?: string | undefined
  /** Names the request of each address, where a sink distinguishes several requests for one address. */
  readonly ids?: RequestIds | undefined
}

/** The names of requests, by address. */
export type RequestIds = ReadonlyMap<string, string>

/** Which requests are read. */
export interface RequestLimits {
  /** How many addresses to add without `since`. */
  readonly addresses: number
  /** How many different values of `since`. */
  readonly passes: number
  /** Addresses to add whose requests were read, and are not fulfilled yet: they are left out. */
  readonly pending: readonly string[]
}
