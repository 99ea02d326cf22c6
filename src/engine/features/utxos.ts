import { defer, retry, switchMap, timer } from 'rxjs'
import { DEFAULT_RETRIES, backoff } from '../../streams/connection/policy.js'
import type { Keep } from '../../streams/utxos/keep.js'
import { createUtxos, type Utxos } from '../../streams/utxos/utxos.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { reservations } from './reservations.js'
import { scores } from './scores.js'

/** The books of a core: one an address, whoever tracks it. */
export const utxoBooks = (core: ChainCore): Utxos =>
  createUtxos({ ...core, ...feature(core, scores), ...feature(core, reservations), keep: keepOnceLoaded })

/** A ledger of some addresses, over the core's books. */
export const utxos = (core: ChainCore): Utxos['ledger'] => feature(core, utxoBooks).ledger

/** What reads and follows is of use once there is a connection: it is fetched while that is made, as often as it takes. */
const keepOnceLoaded: Keep = (books, orders, node) =>
  defer(() => import('../../streams/utxos/keep.js')).pipe(
    retry({
      delay: (_, failures) =>
        timer(backoff(failures, DEFAULT_RETRIES, node.platform.random()), node.platform.scheduler),
    }),
    switchMap(({ keep$ }) => keep$(books, orders, node)),
  )
