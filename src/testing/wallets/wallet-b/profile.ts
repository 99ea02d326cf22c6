/** A version of Kastle with its methods and behavior. */
export type KastleProfile = '2.36' | '2.47' | '2.59' | 'next'

interface ProfileFeatures {
  /** The result of `getVersion`. */
  readonly version: string
  /** Methods that the version lacks. */
  readonly missing: readonly string[]
  /** How the relay signals that it is ready. */
  readonly readySignal: 'message' | 'event'
  /** A payment of several transactions: sends only the first, or rejects. */
  readonly chainedPayment: 'first only' | 'refused'
  /** Whether `request({ method, params })` is supported. */
  readonly objectRequest: 'ignored' | 'understood'
}

const profile = (differences: Partial<ProfileFeatures> = {}): ProfileFeatures => ({
  version: '2.59.0+extension',
  missing: [],
  readySignal: 'event',
  chainedPayment: 'first only',
  objectRequest: 'ignored',
  ...differences,
})

export const PROFILES: Readonly<Record<KastleProfile, ProfileFeatures>> = {
  '2.36': /*#__PURE__*/ profile({
    version: '2.36.0+extension',
    readySignal: 'message',
    missing: ['on', 'removeListener', 'getVersion', 'getNetwork', 'getBalance', 'getUtxoEntries', 'buildTransaction'],
  }),
  '2.47': /*#__PURE__*/ profile({ version: '2.47.0+extension', readySignal: 'message', missing: ['getVersion'] }),
  '2.59': /*#__PURE__*/ profile(),
  next: /*#__PURE__*/ profile({
    version: '2.60.0+extension',
    chainedPayment: 'refused',
    objectRequest: 'understood',
  }),
}
