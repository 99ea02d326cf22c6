import type { Diagnosis, FlightRecord } from 'vue-chain'

/**
 * The BroadcastChannel between the pages of an app in development and the DevTools tab, a frame or window of the same
 * origin.
 */
export const CHANNEL = 'vue-chain:devtools'

/** What the tab wants from the app. */
export type TabRequest = 'records' | 'recording' | 'diagnosis'

/** What the app responds. */
export type TabResponse =
  | { readonly type: 'records'; readonly records: readonly FlightRecord[] }
  /** JSON of `recorder.export()`; null without a recorder. */
  | { readonly type: 'recording'; readonly recording: string | null }
  | { readonly type: 'diagnosis'; readonly diagnosis: Diagnosis }
  | { readonly type: 'failure'; readonly message: string }
