import { auditTime, buffer, map, type Observable, type SchedulerLike } from 'rxjs'
import type { FlightRecord } from '../../../../engine/recorder/recorder.js'
import { LAYERS, layerOf, type Layer } from './layers.js'

/** Ms between two batches. */
export const BATCH_TIME = 1_000

/** Events of a batch, the one included that counts what was left out. */
export const MAX_EVENTS = 100

export interface Batch {
  /** In the order of their occurrence. */
  readonly shown: readonly FlightRecord[]
  /** How many others there were, by layer. */
  readonly omitted: Readonly<Partial<Record<Layer, number>>>
}

/** The records in batches. Starts no timer while there are none. */
export const batches$ = (records$: Observable<FlightRecord>, scheduler: SchedulerLike): Observable<Batch> =>
  records$.pipe(buffer(records$.pipe(auditTime(BATCH_TIME, scheduler))), map(toBatch))

/** Leaves out the newest records of the least important layers where there are too many. */
export function toBatch(records: readonly FlightRecord[]): Batch {
  if (records.length <= MAX_EVENTS) return { shown: records, omitted: {} }
  const kept = new Set(
    Object.keys(LAYERS)
      .flatMap((layer) => records.filter((record) => layerOf(record) === layer))
      .slice(0, MAX_EVENTS - 1),
  )
  const left = records.filter((record) => !kept.has(record))
  const omitted: Partial<Record<Layer, number>> = {}
  for (const layer of left.map(layerOf)) omitted[layer] = (omitted[layer] ?? 0) + 1
  return { shown: records.filter((record) => kept.has(record)), omitted }
}
