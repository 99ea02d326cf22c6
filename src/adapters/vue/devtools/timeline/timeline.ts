import type { Subscription } from 'rxjs'
import type { Recorder } from '../../../../engine/recorder/recorder.js'
import type { Platform } from '../../../../platform/port.js'
import type { DevtoolsApi } from '../inspector.js'
import { batches$, type Batch } from './batches.js'
import { toEvent } from './event.js'
import { LAYERS, layerOf, type Layer } from './layers.js'

/** What the timeline is fed by. */
export interface TimelineSource {
  readonly recorder: Pick<Recorder, 'records$'>
  readonly platform: Platform
}

/**
 * Adds the layers, with ids that begin with `id`, and shows what the recorder records. Ends with the returned
 * subscription.
 */
export function addTimeline(api: DevtoolsApi, id: string, { recorder, platform }: TimelineSource): Subscription {
  const toLayerId = (layer: Layer): string => `${id}:${layer}`
  for (const [layer, { label, color }] of Object.entries(LAYERS))
    api.addTimelineLayer({ id: toLayerId(layer as Layer), label, color }) // the keys are the layers

  const show = ({ shown, omitted }: Batch): void => {
    for (const record of shown) api.addTimelineEvent({ layerId: toLayerId(layerOf(record)), event: toEvent(record) })
    const counts = Object.values(omitted)
    if (counts.length === 0) return
    const title = `${counts.reduce((sum, count) => sum + count, 0)} events are left out`
    const event = { time: platform.now(), title, data: omitted, logType: 'warning' as const }
    api.addTimelineEvent({ layerId: toLayerId('connection'), event })
  }
  return batches$(recorder.records$, platform.scheduler).subscribe(show)
}
