import { useSubscription } from '@vueuse/rxjs'
import { of, switchMap, type Observable } from 'rxjs'
import { computed, shallowReadonly, shallowRef, type ComputedRef, type Ref } from 'vue'
import type { Placement } from '../../../streams/placement.js'
import { isServer } from './is-server.js'
import { toStream } from './ref-to-stream.js'
import { useStream } from './stream-to-ref.js'
import { useMounted } from './use-mounted.js'

/** What can be listened to, and what becomes of it while nobody does. */
export interface Listenable<T> {
  readonly state$: Observable<T>
  readonly kept$: Observable<T>
}

export interface Listening<T> {
  /** The latest value; between `unsubscribe` and `subscribe` what is kept of it. */
  readonly value: Readonly<Ref<T>>
  readonly isListening: ComputedRef<boolean>
  /** Why the node does not tell, while it refuses to: it is asked again. Null where nothing is wrong. */
  readonly error: Readonly<Ref<Error | null>>
  /**
   * Resolves once the node tells, at once where there is no connection: it will with the next one. Rejects with the node's
   * refusal, and listens all the same: the node is asked again.
   */
  readonly subscribe: () => Promise<void>
  readonly unsubscribe: () => Promise<void>
}

/** What is heard of without asking a node. */
const NOTHING_TO_PLACE: Placement = { settled: () => Promise.resolve(), refusal$: /*#__PURE__*/ of(null) }

/**
 * A state stream that is listened to from `subscribe` to `unsubscribe`, or to the end of the calling scope, whether its
 * value is read or not. With `autoSubscribe` from the start: on mount inside a component, else at once. On a server never.
 */
export function useListening<T>(
  { state$, kept$ }: Listenable<T>,
  initial: T,
  autoSubscribe: boolean,
  placement: Placement = NOTHING_TO_PLACE,
): Listening<T> {
  const wanted = shallowRef(false)
  const value = shallowRef<T>(initial) as Ref<T>
  const want = (next: boolean): void => {
    wanted.value = next && !isServer()
  }
  const heard$ = toStream(wanted).pipe(switchMap((isWanted) => (isWanted ? state$ : kept$)))
  useSubscription(
    heard$.subscribe((next) => {
      value.value = next
    }),
  )
  if (autoSubscribe) useMounted().subscribe(() => want(true))
  return {
    value: shallowReadonly(value),
    isListening: computed(() => wanted.value),
    error: useStream(placement.refusal$, null),
    subscribe: async () => {
      want(true)
      if (wanted.value) await placement.settled()
    },
    unsubscribe: () => {
      want(false)
      return Promise.resolve()
    },
  }
}
