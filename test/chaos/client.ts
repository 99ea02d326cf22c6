import { BehaviorSubject, Subscription, merge, type Observable } from 'rxjs'
import { createParts } from '../../src/engine/core.js'
import { type CoreParts, feature } from '../../src/engine/core-parts.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { blocks } from '../../src/engine/features/blocks.js'
import { scores } from '../../src/engine/features/node.js'
import { unconfirmed } from '../../src/engine/features/unconfirmed.js'
import { utxos } from '../../src/engine/features/utxos.js'
import type { DevnodeBase } from '../../src/devnode/devnode.js'
import type { NodePort } from '../../src/node/port.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { ConnectionState } from '../../src/streams/connection/state.js'
import type { AcceptedTransactionInfo } from '../../src/streams/acceptance/acceptance.js'
import type { UnconfirmedRecord } from '../../src/streams/utxos/unconfirmed/record.js'
import { UNKNOWN_UTXOS, type UtxoTracker, type UtxoState } from '../../src/streams/utxos/view/state.js'
import type { RecordingPlatform } from './recording-platform.js'
import { createStreamRecorder, type StreamRecorder } from './stream-recorder.js'

/** An application on the engine core: subscribes to all streams and handles no errors. */
export interface Client {
  readonly core: CoreParts
  readonly platform: RecordingPlatform
  readonly recorder: StreamRecorder
  /** Trackers of all accounts, of three of them, and of `addresses$`. */
  readonly trackers: readonly [ObservedTracker, ObservedTracker, ObservedTracker]
  /** Addresses of the last tracker. */
  readonly addresses$: BehaviorSubject<readonly string[]>
  /** The latest accepted transactions, newest first. */
  history(): readonly AcceptedTransactionInfo[]
  /** Own payments that are neither accepted nor in the node's mempool. */
  reserved(): readonly UnconfirmedRecord[]
  /** Whether a payment that has left the mempool still counts: it does for two more chain blocks. */
  awaitsBlocks(): boolean
  /** The last emitted DAA score. */
  virtualDaaScore(): bigint
  /** The state of the connection. */
  readonly connection: ConnectionState
  /** Number of connections so far. */
  readonly connections: number
  /** Whether the start block of acceptance is known. */
  isSubscribed(): boolean
  unsubscribe(): void
}

/** A tracker with a subscriber. */
export interface ObservedTracker extends UtxoTracker {
  readonly current: UtxoState
}

/** Limits of connections and requests, ms. */
const TIMEOUTS = { connect: 800, request: 2_000, heartbeat: 800 }

/** The same with tampering: a reconnect on a busy machine would backfill the dropped notifications. */
const TAMPERED_TIMEOUTS = { connect: 50_000, request: 50_000, heartbeat: 50_000 }

/** `node`: replaces the sockets of the client. */
export function createClient(
  { urls, accounts }: DevnodeBase,
  encoding: RpcEncoding,
  platform: RecordingPlatform,
  node?: NodePort,
): Client {
  const timeouts = platform.tamper === undefined ? TIMEOUTS : TAMPERED_TIMEOUTS
  const core = createParts({
    network: 'simnet',
    encoding,
    url: encoding === 'Borsh' ? urls.borsh : urls.json,
    reconnect: { maxRetries: Infinity, baseDelay: 20, maxDelay: 200 },
    heartbeat: { interval: 400, timeout: timeouts.heartbeat },
    connectTimeout: timeouts.connect,
    requestTimeout: timeouts.request,
    ports: { platform, node },
  })
  const subscriptions = new Subscription()
  const addresses = accounts.map(({ address }) => address)
  const addresses$ = new BehaviorSubject<readonly string[]>(addresses.slice(0, 1))
  const track = (tracked: readonly string[] | Observable<readonly string[]>): ObservedTracker =>
    observe(feature(core, utxos)(tracked, { mempoolInterval: 250 }), subscriptions)
  const { changes$, gaps$, chains, history } = feature(core, acceptance)
  const newest = history({ includeSenderAddresses: true })
  subscriptions.add(newest.state$.subscribe())
  const { blocks$, gaps$: blockGaps$ } = feature(core, blocks)
  const recorder = createStreamRecorder({ changes$, gaps$: merge(gaps$, blockGaps$), blocks$ })
  const { virtualDaaScore$ } = feature(core, scores)
  let score = 0n
  subscriptions.add(virtualDaaScore$.subscribe((next) => (score = next)))
  let connection!: ConnectionState
  let connections = 0
  const countConnections = (state: ConnectionState): void => {
    connection = state
    connections += Number(state.status === 'connected')
  }
  subscriptions.add(core.connection.state$.subscribe(countConnections))
  return {
    core,
    platform,
    recorder,
    trackers: [track(addresses), track(addresses.slice(2, 5)), track(addresses$)],
    history: () => newest.items(),
    get connection() {
      return connection
    },
    get connections() {
      return connections
    },
    awaitsBlocks: () =>
      [...feature(core, unconfirmed).records.all.values()].some(({ mempool }) => mempool.step === 'left'),
    reserved: () =>
      [...feature(core, unconfirmed).records.all.values()].filter(
        ({ own, mempool }) => own.step !== 'none' && own.step !== 'accepted' && mempool.step === 'unlisted',
      ),
    virtualDaaScore: () => score,
    isSubscribed: () => chains().some(({ length }) => length > 0),
    addresses$,
    unsubscribe: () => {
      subscriptions.unsubscribe()
      recorder.unsubscribe()
    },
  }
}

/** Subscribes to a tracker until `subscriptions` ends. */
function observe(tracker: UtxoTracker, subscriptions: Subscription): ObservedTracker {
  let current = UNKNOWN_UTXOS
  subscriptions.add(tracker.state$.subscribe((state) => (current = state)))
  return {
    ...tracker,
    get current() {
      return current
    },
  }
}
