/** A version of Kastle: what pages find, and how it behaves, has changed from one to the next. */
export type KastleProfile = '2.36' | '2.47' | '2.59' | 'next'

interface Abilities {
  /** What `getVersion` answers. */
  readonly version: string
  /** Methods that pages do not find yet. */
  readonly missing: readonly string[]
  /** How the page is told that calls are heard from now on. */
  readonly greeting: 'message' | 'event'
  /** What becomes of a payment that takes several transactions: only the first is sent, or it is refused. */
  readonly chainedPayment: 'first only' | 'refused'
  /** Whether `request({ method, params })` is understood. */
  readonly objectRequest: 'ignored' | 'understood'
}

const FULL: Abilities = {
  version: '2.59.0+extension',
  missing: [],
  greeting: 'event',
  chainedPayment: 'first only',
  objectRequest: 'ignored',
}

export const PROFILES: Readonly<Record<KastleProfile, Abilities>> = {
  '2.36': {
    ...FULL,
    version: '2.36.0+extension',
    greeting: 'message',
    missing: ['on', 'removeListener', 'getVersion', 'getNetwork', 'getBalance', 'getUtxoEntries', 'buildTransaction'],
  },
  '2.47': { ...FULL, version: '2.47.0+extension', greeting: 'message', missing: ['getVersion'] },
  '2.59': FULL,
  next: { ...FULL, version: '2.60.0+extension', chainedPayment: 'refused', objectRequest: 'understood' },
}
