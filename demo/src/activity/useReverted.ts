import { useObservable } from '@vueuse/rxjs'
import { concat, map, mergeMap, of, scan, timer } from 'rxjs'
import { useChainEngine } from 'vue-chain'
import type { Ref } from 'vue'

/** How long a reverted transaction stays on the page, in ms. */
const LINGER = 6000

/** Ids of transactions that a reorg took back moments ago and nothing has accepted since, newest first. */
export function useReverted(): Readonly<Ref<readonly string[]>> {
  const changes$ = useChainEngine().acceptedTransactions$()
  const steps$ = changes$.pipe(
    mergeMap(({ type, transactionId: id }) =>
      type === 'accepted'
        ? of({ id, isStruck: false })
        : concat(of({ id, isStruck: true }), timer(LINGER).pipe(map(() => ({ id, isStruck: false })))),
    ),
  )
  const reverted$ = steps$.pipe(
    scan((ids: readonly string[], { id, isStruck }) => {
      const others = ids.filter((other) => other !== id)
      return isStruck ? [id, ...others] : others
    }, []),
  )
  return useObservable(reverted$, { initialValue: [] })
}
