import type { Observable } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { PayoutOutput } from '../../../operations/payouts/payout-batch.js'
import type { ListOptions, PayoutList, PayoutReader, PayoutState } from '../../../streams/payouts/payouts.js'
import { useStream } from '../bridges/stream-refs.js'

/** What `createPayouts` of `vue-chain/payouts` returns. */
export interface PayoutQueue extends Pick<PayoutReader, 'list$'> {
  pay(id: string, payment: PayoutOutput): Promise<PayoutState>
  readonly status$: Observable<{ readonly problem: ChainError | null }>
}

export interface UsePayoutsReturn {
  /**
   * Stores a payment and resolves once it is stored; the tab that works makes it. The same id is the same payment:
   * repeat a call that failed with the same id. Rejects with `PayoutError`.
   */
  readonly pay: (id: string, payment: PayoutOutput) => Promise<PayoutState>
  /** The latest requests first, of all tabs. */
  readonly payouts: ComputedRef<readonly PayoutState[]>
  /** Those of them that cannot be signed yet, each with its `reason`; the `queued` ones are about to be. */
  readonly waiting: ComputedRef<readonly Extract<PayoutState, { readonly state: 'waiting' }>[]>
  /** Why nothing is signed any more (`foreign-debit`), or why the journal could not be read at last; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
}

/** The payments of a queue, which another tab may make. Reads the journal once a value is read. */
export function usePayouts(payouts: PayoutQueue, options: ListOptions = {}): UsePayoutsReturn {
  const list = useStream(payouts.list$({ order: 'newest', ...options }), NO_PAYOUTS)
  const status = useStream(payouts.status$, NO_PROBLEM)
  return {
    pay: (id, payment) => payouts.pay(id, payment),
    payouts: computed(() => list.value.payouts),
    waiting: computed(() => list.value.payouts.filter((payout) => payout.state === 'waiting')),
    error: computed(() => status.value.problem ?? list.value.error),
  }
}

const NO_PAYOUTS: PayoutList = { payouts: [], error: null }
const NO_PROBLEM = { problem: null }
