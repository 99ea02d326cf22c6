import { of, switchMap } from 'rxjs'
import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { transactionStatus } from '../../../engine/features/transaction-status.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { TransactionPhase, TransactionStatus, TransactionStatusOptions } from '../../../streams/status/status.js'
import { toStream, useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UseTransactionStatusReturn {
  readonly status: ComputedRef<TransactionPhase>
  /** The chain block that accepts the transaction; null unless accepted. */
  readonly acceptingBlockHash: ComputedRef<string | null>
  /** Blue score from the accepting block to the sink; 0 unless accepted. */
  readonly confirmations: ComputedRef<number>
  /** Why tracking failed or the transaction was rejected; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
}

/** Status of a transaction, tracked from the mempool to its last confirmation; `unknown` without an id. */
export function useTransactionStatus(
  id: MaybeRefOrGetter<string | null | undefined>,
  options?: TransactionStatusOptions,
): UseTransactionStatusReturn {
  const follow$ = feature(useCore('useTransactionStatus'), transactionStatus)
  const status$ = toStream(id).pipe(
    switchMap((now) => (now === null || now === undefined ? of(UNKNOWN_STATUS) : follow$(now, options))),
  )
  const state = useStream(status$, UNKNOWN_STATUS)
  return {
    status: computed(() => state.value.status),
    acceptingBlockHash: computed(() => state.value.acceptingBlockHash),
    confirmations: computed(() => state.value.confirmations),
    error: computed(() => state.value.error),
  }
}

const UNKNOWN_STATUS: Omit<TransactionStatus, 'transactionId'> = {
  status: 'unknown',
  acceptingBlockHash: null,
  confirmations: 0,
  error: null,
}
