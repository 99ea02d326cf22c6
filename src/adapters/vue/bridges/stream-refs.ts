import { useSubscription, from } from '@vueuse/rxjs'
import { switchMap, Observable, of } from 'rxjs'
import {
  customRef,
  effectScope,
  getCurrentScope,
  shallowReadonly,
  type Ref,
  computed,
  shallowRef,
  type ComputedRef,
  toValue,
  type MaybeRefOrGetter,
} from 'vue'
import { isServer, useHydrated, useMounted } from './render-phase.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { Placement } from '../../../streams/placement.js'
import { isSameList } from '../../../model/changes.js'
import { isAddressSource, type AddressSource } from '../../../streams/addresses.js'
import { startUnlessEmitted } from '../../../streams/start-unless-emitted.js'

/**
 * A state stream as a read-only shallow ref. The first read subscribes; the subscription ends with the effect scope
 * that called this function, not with that of the reader. Without a scope it ends with the stream. On a server the ref
 * holds `initial` and never subscribes; so it does while the component hydrates what the server rendered.
 */
export const useStream = <T>(state$: Observable<T>, initial: T): Readonly<Ref<T>> =>
  useRenderedStream(useHydrated().pipe(switchMap(() => state$)), initial)

/** As `useStream`, for a stream whose first value is the one that the server rendered. */
export function useRenderedStream<T>(state$: Observable<T>, initial: T): Readonly<Ref<T>> {
  let latest = initial
  const value = customRef<T>((track, trigger) => {
    const update = (next: T): void => {
      latest = next
      trigger()
    }
    const subscribe = onceInScope(() => useSubscription(state$.subscribe(update)))
    const get = (): T => {
      subscribe() // before tracking: a synchronous first value must not trigger the effect that reads it
      track()
      return latest
    }
    return { get, set: () => undefined }
  })
  return shallowReadonly(value)
}

/**
 * Returns a function whose first call runs `effect` in the scope of this call. Later calls do nothing, nor does a first
 * one after the scope's end, or on a server, where a scope is never stopped.
 */
function onceInScope(effect: () => void): () => void {
  // Detached without a scope: otherwise the effect would end with the scope of the first reader.
  const scope = getCurrentScope() ?? effectScope(true)
  let next = isServer() ? undefined : effect
  return () => {
    const run = next
    next = undefined
    if (run && scope.active) scope.run(run)
  }
}

/** A state stream and its state without a subscription at the node. */
interface Listenable<T> {
  readonly state$: Observable<T>
  readonly passive$: Observable<T>
}

export interface Listening<T> {
  /** The latest value; between `unsubscribe` and `subscribe` the value of `passive$`. */
  readonly value: Readonly<Ref<T>>
  readonly isListening: ComputedRef<boolean>
  /** The node's refusal of the subscription, while it is retried; otherwise null. */
  readonly error: Readonly<Ref<ChainError | null>>
  /**
   * Resolves once the node has confirmed the subscription, or at once without a connection: it is placed with the next
   * one. Rejects with the node's refusal; the subscription is retried.
   */
  readonly subscribe: () => Promise<void>
  readonly unsubscribe: () => Promise<void>
}

/** For streams without a subscription at the node. */
const NO_PLACEMENT: Placement = { ready: () => Promise.resolve(), refusal$: /*#__PURE__*/ of(null) }

/**
 * Subscribes to a state stream from `subscribe` to `unsubscribe` or the end of the calling scope, whether or not the
 * value is read. With `autoSubscribe`, starts on mount inside a component, otherwise at once. Never subscribes on a
 * server.
 */
export function useListening<T>(
  { state$, passive$ }: Listenable<T>,
  initial: T,
  autoSubscribe: boolean,
  placement: Placement = NO_PLACEMENT,
): Listening<T> {
  const wanted = shallowRef(false)
  const value = shallowRef<T>(initial) as Ref<T>
  const setWanted = (next: boolean): void => {
    wanted.value = next && !isServer()
  }
  const value$ = useHydrated().pipe(
    switchMap(() => toStream(wanted)),
    switchMap((isWanted) => (isWanted ? state$ : passive$)),
  )
  useSubscription(
    value$.subscribe((next) => {
      value.value = next
    }),
  )
  if (autoSubscribe) useMounted().subscribe(() => setWanted(true))
  return {
    value: shallowReadonly(value),
    isListening: computed(() => wanted.value),
    error: useStream(placement.refusal$, null),
    subscribe: async () => {
      setWanted(true)
      if (wanted.value) await placement.ready()
    },
    unsubscribe: () => {
      setWanted(false)
      return Promise.resolve()
    },
  }
}

/**
 * A plain value, ref or getter as a stream: emits the current value, then each change, synchronously. Never completes.
 * The watcher ends with the subscription, not with the scope in which that begins: the subscribers of a shared stream
 * follow it further where the component of the first one is unmounted.
 */
export const toStream = <T>(value: MaybeRefOrGetter<T>): Observable<T> => {
  const current$ = from(
    computed(() => toValue(value)),
    { immediate: true, flush: 'sync' },
  )
  return new Observable((subscriber) => effectScope(true).run(() => current$.subscribe(subscriber)))
}

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
