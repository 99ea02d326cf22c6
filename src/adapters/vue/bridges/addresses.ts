import { of, switchMap } from 'rxjs'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { isSameList } from '../../../model/changes.js'
import { isAddressSource, type AddressSource } from '../../../streams/addresses.js'
import { startUnlessEmitted } from '../../../streams/start-unless-emitted.js'
import { toStream } from './ref-to-stream.js'
import { useStream } from './stream-to-ref.js'

/** One address, a list, or a source such as an account; nothing for none. */
export type AddressesArgument = string | readonly string[] | AddressSource | null | undefined

const NONE: readonly string[] = []

/**
 * The addresses of an argument that may change. A list with the same addresses is no change: a getter runs again with
 * everything that it reads. A source is subscribed to once the list is read; until its first list, and on a server, it
 * has none: those of the source before are another account's.
 */
export function useAddresses(addresses: MaybeRefOrGetter<AddressesArgument>): ComputedRef<readonly string[]> {
  const ofSource$ = toStream(addresses).pipe(
    switchMap((current) => (isAddressSource(current) ? current.addresses$.pipe(startUnlessEmitted(NONE)) : of(NONE))),
  )
  const ofSource = useStream(ofSource$, NONE)
  return computed<readonly string[]>((previous) => {
    const current = toValue(addresses)
    const list = isAddressSource(current) ? ofSource.value : toList(current)
    return previous !== undefined && isSameList(previous, list) ? previous : list
  })
}

const toList = (addresses: string | readonly string[] | null | undefined): readonly string[] =>
  typeof addresses === 'string' ? [addresses] : (addresses ?? NONE)
