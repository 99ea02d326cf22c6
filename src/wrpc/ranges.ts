import { MAX_SOMPI } from '../model/amount.js'
import type { Scalar, ScalarValues } from '../node/messages/shape.js'
import { MalformedFrame } from './malformed.js'

/** Blue and DAA scores, counts and masses are stored as signed integers of 64 bits. */
const MAX_STORED = 2n ** 63n - 1n

/** The last ms of the year 9999: databases read no later time in ISO 8601. */
const MAX_TIME = 253_402_300_799_999n

/** The readers of every scalar, of Borsh or of JSON. */
export type Readers<Source> = { readonly [S in Scalar]: (source: Source) => ScalarValues[S] }

/**
 * The readers of what a node sends: the only place where its amounts, scores, times, counts and measures are held to
 * their ranges, of responses and notifications, before anything else reads them. Beyond its range a message is
 * malformed: the endpoint is left, or the state is read again. UTXO entries are not among them: one that cannot be is
 * left out, and the others stay.
 */
export const withRanges = <Source>(readers: Readers<Source>): Readers<Source> => ({
  ...readers,
  sompi: upTo(MAX_SOMPI, 'An amount', readers.sompi),
  score: upTo(MAX_STORED, 'A score', readers.score),
  time: upTo(MAX_TIME, 'A time', readers.time),
  count: upTo(MAX_STORED, 'A count', readers.count),
  measure: (source) => {
    const value = readers.measure(source)
    if (!Number.isFinite(value) || value < 0) throw outOfRange('A measure')
    return value
  },
})

function upTo<Source>(max: bigint, what: string, read: (source: Source) => bigint): (source: Source) => bigint {
  return (source) => {
    const value = read(source)
    if (value > max) throw outOfRange(what)
    return value
  }
}

const outOfRange = (what: string): MalformedFrame => new MalformedFrame(`${what} is out of range`)
