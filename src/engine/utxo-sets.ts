import { createUtxos, type Utxos } from '../streams/utxos/utxos.js'
import { type CoreParts, feature } from './core-parts.js'
import { scores } from './features/node.js'
import { unconfirmed } from './features/unconfirmed.js'

/** The UTXO sets of a core: one per address, shared by all trackers. */
export function utxoSets(core: CoreParts): Utxos {
  const utxos = createUtxos({
    ...core,
    ...feature(core, scores),
    unconfirmed: feature(core, unconfirmed),
    logger: core.options.logger,
  })
  core.probe?.utxoSets(utxos.sets)
  return utxos
}
