import { retry, switchMap, timer } from 'rxjs'
import { lazyModule } from '../../loading/lazy-module.js'
import { DEFAULT_RETRIES, backoff } from '../../streams/connection/policy.js'
import type { Sync } from '../../streams/utxos/sync.js'
import { createUtxos, type Utxos } from '../../streams/utxos/utxos.js'
import type { ChainCore } from '../core.js'
import { feature } from '../feature.js'
import { scores } from './scores.js'
import { unconfirmed } from './unconfirmed.js'

/** The UTXO sets of a core: one per address, shared by all trackers. */
export function utxoSets(core: ChainCore): Utxos {
  const utxos = createUtxos({
    ...core,
    ...feature(core, scores),
    unconfirmed: feature(core, unconfirmed),
    sync: loadedSync,
    logger: core.options.logger,
  })
  core.probe?.utxoSets(utxos.sets)
  return utxos
}

/** Creates trackers of addresses over the core's UTXO sets. */
export const utxos = (core: ChainCore): Utxos['tracker'] => feature(core, utxoSets).tracker

/** Creates streams of balances over the core's UTXO sets. */
export const balances = (core: ChainCore): Utxos['balances$'] => feature(core, utxoSets).balances$

export const syncModule = /*#__PURE__*/ lazyModule(() => import('../../streams/utxos/sync.js'))

/** Loaded while the connection is made; a failed load is retried with backoff. */
const loadedSync: Sync = (utxoSets, commands, node) =>
  syncModule.module$.pipe(
    retry({
      delay: (_, failures) =>
        timer(backoff(failures, DEFAULT_RETRIES, node.platform.random()), node.platform.scheduler),
    }),
    switchMap(({ sync$ }) => sync$(utxoSets, commands, node)),
  )
