import type { Parcel } from './fault.js'

/** Which messages a fault strikes. */
export type Which = 'any' | 'answer' | 'notification'

export const WHICH = ['any', 'answer', 'notification'] as const satisfies readonly Which[]

export const isOf = ({ answers }: Parcel, which: Which): boolean =>
  which === 'any' || which === (answers === undefined ? 'notification' : 'answer')
