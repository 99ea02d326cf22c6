import { useSubscription } from '@vueuse/rxjs'
import { of, switchMap, type Observable } from 'rxjs'
import { computed, shallowReadonly, shallowRef, type ComputedRef, type Ref } from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { Placement } from '../../../streams/placement.js'
import { isServer } from './is-server.js'
import { toStream } from './ref-to-stream.js'
import { useStream } from './stream-to-ref.js'
import { useHydrated, useMounted } from './use-mounted.js'

/** A state stream and its state without a subscription at the node. */
export interface Listenable<T> {
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
