import { BehaviorSubject, Subscription, merge, type Observable } from 'rxjs'
import { createCore, type ChainCore } from '../../src/engine/core.js'
import { feature } from '../../src/engine/feature.js'
import { acceptance } from '../../src/engine/features/acceptance.js'
import { blocks } from '../../src/engine/features/blocks.js'
import { scores } from '../../src/engine/features/scores.js'
import { utxos } from '../../src/engine/features/utxos.js'
import type { Devnode } from '../../src/devnode/index.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { AcceptedTransactionInfo } from '../../src/streams/acceptance/change.js'
import { UNKNOWN_UTXOS, type UtxoLedger, type UtxoState } from '../../src/streams/utxos/state.js'
import { createWatchedPlatform, type Tamper, type WatchedPlatform } from './watched-platform.js'
import { createWitness, type Witness } from './witness.js'

/** An application on our engine: it listens to everything there is, and never looks at what goes wrong. */
export interface Client {
  readonly core: ChainCore
  readonly platform: WatchedPlatform
  readonly witness: Witness
  /** All accounts, a few of them a second time, and those that are looked at just now. */
  readonly ledgers: readonly [ShownLedger, ShownLedger, ShownLedger]
  /** What the last of the ledgers tracks. */
  readonly looksAt$: BehaviorSubject<readonly string[]>
  /** The newest of what was accepted, newest first. */
  history(): readonly AcceptedTransactionInfo[]
  /** As it was last told. */
  virtualDaaScore(): bigint
  /** How often it was connected so far. */
  readonly connections: number
  /** Whether it has found its place on the virtual chain, and waits for what comes. */
  isListening(): boolean
  /** The last listener leaves. */
  leave(): void
}

/** A ledger that someone looks at. */
export interface ShownLedger extends UtxoLedger {
  readonly shown: UtxoState
}

/** How long, in ms, a ping may be unanswered. */
const ALIVE = 800

/** The same for a client that is betrayed: a busy machine must not end its connection, as the next one would tell what was missed. */
const BETRAYED = 60_000

export function createClient({ urls, accounts }: Devnode, encoding: RpcEncoding, tamper?: Tamper): Client {
  const platform = createWatchedPlatform(tamper)
  const core = createCore({
    network: 'simnet',
    encoding,
    url: encoding === 'Borsh' ? urls.borsh : urls.json,
    reconnect: { maxRetries: Infinity, baseDelay: 20, maxDelay: 200 },
    heartbeat: { interval: 400, timeout: tamper === undefined ? ALIVE : BETRAYED },
    connectTimeout: 800,
    requestTimeout: 2_000,
    ports: { platform },
  })
  const listening = new Subscription()
  const addresses = accounts.map(({ address }) => address)
  const looksAt$ = new BehaviorSubject<readonly string[]>(addresses.slice(0, 1))
  const track = (tracked: readonly string[] | Observable<readonly string[]>): ShownLedger =>
    show(feature(core, utxos)(tracked, { mempoolInterval: 250 }), listening)
  const { changes$, gaps$, chains, history } = feature(core, acceptance)
  const newest = history({ includeSenderAddresses: true })
  listening.add(newest.state$.subscribe())
  const { blocks$, gaps$: blockGaps$ } = feature(core, blocks)
  const witness = createWitness({ changes$, gaps$: merge(gaps$, blockGaps$), blocks$ })
  const { virtualDaaScore$ } = feature(core, scores)
  let score = 0n
  listening.add(virtualDaaScore$.subscribe((next) => (score = next)))
  let connections = 0
  listening.add(core.connection.state$.subscribe(({ status }) => (connections += Number(status === 'connected'))))
  return {
    core,
    platform,
    witness,
    ledgers: [track(addresses), track(addresses.slice(2, 5)), track(looksAt$)],
    history: () => newest.items(),
    get connections() {
      return connections
    },
    virtualDaaScore: () => score,
    isListening: () => chains().some(({ length }) => length > 0),
    looksAt$,
    leave: () => {
      listening.unsubscribe()
      witness.leave()
    },
  }
}

/** Looks at a ledger for as long as `listening` lasts. */
function show(ledger: UtxoLedger, listening: Subscription): ShownLedger {
  let shown = UNKNOWN_UTXOS
  listening.add(ledger.state$.subscribe((state) => (shown = state)))
  return {
    ...ledger,
    get shown() {
      return shown
    },
  }
}
