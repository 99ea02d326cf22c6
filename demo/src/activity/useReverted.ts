import { useObservable } from '@vueuse/rxjs'
import { concat, filter, map, mergeMap, of, scan, timer } from 'rxjs'
import { useChainEngine } from 'vue-chain'
import type { Ref } from 'vue'

/** How long a reverted transaction is shown, in ms. */
const DISPLAY_TIME = 6000

/** Ids of transactions reverted by a reorg within `DISPLAY_TIME` and not accepted again, newest first. */
export function useReverted(): Readonly<Ref<readonly string[]>> {
  const changes$ = useChainEngine().acceptedTransactions$()
  const steps$ = changes$.pipe(
    filter((change) => change.type !== 'rollback'),
    mergeMap(({ type, transactionId: id }) =>
      type === 'accepted'
        ? of({ id, isReverted: false })
        : concat(of({ id, isReverted: true }), timer(DISPLAY_TIME).pipe(map(() => ({ id, isReverted: false })))),
    ),
  )
  const reverted$ = steps$.pipe(
    scan((ids: readonly string[], { id, isReverted }) => {
      const others = ids.filter((other) => other !== id)
      return isReverted ? [id, ...others] : others
    }, []),
  )
  return useObservable(reverted$, { initialValue: [] })
}
