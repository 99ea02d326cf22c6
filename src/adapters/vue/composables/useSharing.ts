import { computed, type ComputedRef } from 'vue'
import { feature } from '../../../engine/core-parts.js'
import { NOT_SHARED, sharing, type SharingReason, type SharingState } from '../../../engine/features/sharing.js'
import { useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'

export interface UseSharingReturn {
  /** `shared`: UTXOs that one tab has reserved are reserved in all tabs. */
  readonly claims: ComputedRef<SharingState['claims']>
  /** `shared`: the socket of all tabs; `own` also before the first connection. */
  readonly connection: ComputedRef<SharingState['connection']>
  /** How many tabs have the connection; null with an own one. */
  readonly tabs: ComputedRef<number | null>
  /** Why less is shared than the option `shared` says; null where nothing is missing. */
  readonly reason: ComputedRef<SharingReason | null>
  /** Deletes what the option `shared.state` has stored, and resolves when it is deleted: for log-out. */
  readonly forget: () => Promise<void>
}

/** What this tab shares with the others of its origin. */
export function useSharing(): UseSharingReturn {
  const { state$, forget } = feature(useCore('useSharing'), sharing)
  const state = useStream(state$, NOT_SHARED)
  return {
    claims: computed(() => state.value.claims),
    connection: computed(() => state.value.connection),
    tabs: computed(() => state.value.tabs),
    reason: computed(() => state.value.reason),
    forget,
  }
}
