import { merge, map, skip } from 'rxjs'
import type { ChainEvent } from '../../streams/session/events.js'
import { toEndpoint } from './masks.js'
import type { FrameMeter } from './observe-platform.js'
import type { ObservedCore } from './probe.js'
import type { FlightRecord } from './records.js'

/** Records the connection, notifications, the WASM module and the environment, until the engine is disposed. */
export function observeCore(core: ObservedCore, meter: FrameMeter, record: (record: FlightRecord) => void): void {
  const { connection, received$, wasm, platform, lifetime } = core
  const now = (): number => platform.now()
  lifetime.add(
    connection.state$.pipe(skip(1)).subscribe(({ status, url, attempt, error }) =>
      record({
        at: now(),
        type: 'connection',
        status,
        endpoint: url === null ? null : toEndpoint(url),
        attempt,
        reason: error?.code ?? null,
      }),
    ),
  )
  lifetime.add(received$.subscribe((event) => recordEvent(event, meter, record)))
  lifetime.add(wasm.status$.pipe(skip(1)).subscribe(({ status }) => record({ at: now(), type: 'wasm', status })))
  const changes$ = merge(
    platform.online$.pipe(
      skip(1),
      map((isOnline) => (isOnline ? 'online' : 'offline')),
    ),
    platform.visible$.pipe(
      skip(1),
      map((isVisible) => (isVisible ? 'visible' : 'hidden')),
    ),
  )
  lifetime.add(changes$.subscribe((change) => record({ at: now(), type: 'environment', change })))
}

function recordEvent(event: ChainEvent, meter: FrameMeter, record: (record: FlightRecord) => void): void {
  if (event.type === 'connect' || event.type === 'disconnect') return // recorded as transitions
  const { type: notification, timestamp: at } = event
  record({ at, type: 'notification', notification, bytes: meter.received, count: countOf(event) })
  const blocks = event.type === 'virtual-chain-changed' ? event.data.removedChainBlockHashes.length : 0
  if (blocks > 0) record({ at, type: 'rollback', blocks })
}

/** How much a notification contains. */
function countOf(event: ChainEvent): number {
  switch (event.type) {
    case 'block-added':
      return event.data.block.transactions.length
    case 'utxos-changed':
      return event.data.added.length + event.data.removed.length
    case 'virtual-chain-changed':
      return event.data.addedChainBlockHashes.length + event.data.removedChainBlockHashes.length
    default:
      return 1
  }
}
