import { numberToKaspa } from '../../../model/amount.js'
import type { ChainNetwork } from '../../../model/network.js'
import type { Field, Tag } from './inspector-node.js'

/** The fields of a record, in its order. */
export const fieldsOf = (record: Readonly<Record<string, unknown>>): Field[] =>
  Object.entries(record).map(([key, value]) => ({ key, value }))

/** An amount in sompi, and as text in the network's unit; one empty row where it is not known. */
export const amountFields = (key: string, sompi: bigint | null, network: ChainNetwork): Field[] =>
  sompi === null
    ? [{ key, value: null }]
    : [
        { key: `${key} (sompi)`, value: sompi },
        { key, value: numberToKaspa(sompi, network) },
      ]

/** Message, details and hint of an error, without its cause; null without an error. */
export const errorField = (error: Error | null): Field => ({
  key: 'error',
  value: error === null ? null : String(error),
})

/** A Unix time as text; null where there is none. */
export const toTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const TONES = {
  good: { textColor: 0xffffff, backgroundColor: 0x2e7d32 },
  busy: { textColor: 0x000000, backgroundColor: 0xffca28 },
  bad: { textColor: 0xffffff, backgroundColor: 0xc62828 },
  plain: { textColor: 0xffffff, backgroundColor: 0x607d8b },
} as const

export const tag = (label: string, tone: keyof typeof TONES = 'plain'): Tag => ({ label, ...TONES[tone] })
