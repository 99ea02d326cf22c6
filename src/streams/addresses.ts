import { isObservable, of, type Observable } from 'rxjs'

/** A set of addresses that grows by itself: an account of an extended public key. */
export interface AddressSource {
  /**
   * All addresses of the source. Replays the current list once there is one, emits only changes, never errors,
   * completes with the engine.
   */
  readonly addresses$: Observable<readonly string[]>
  /** Whether an address belongs to the change chain of the source. */
  readonly isChange?: (address: string) => boolean
}

/** Addresses to follow: a list, a stream of lists, or a source such as an account. */
export type FollowedAddresses = readonly string[] | Observable<readonly string[]> | AddressSource

/** Whether a value is an `AddressSource`, not a list, text or a stream. */
export const isAddressSource = (value: unknown): value is AddressSource =>
  typeof value === 'object' && value !== null && 'addresses$' in value && isObservable(value.addresses$)

/** The addresses to follow as a stream of lists. */
export function toAddresses$(addresses: FollowedAddresses): Observable<readonly string[]> {
  if (isObservable(addresses)) return addresses
  return isAddressSource(addresses) ? addresses.addresses$ : of(addresses)
}
