import { connectionModule } from '../engine/open-ports.js'
import { statusesModule } from '../engine/features/transaction-status.js'
import { utxoSetsModule } from '../engine/features/utxos.js'
import { resumedBatchesModule } from '../streams/acceptance/acceptance.js'
import { sendersModule } from '../streams/acceptance/accepted-transactions.js'

/**
 * Loads what engines load on demand for their streams. Afterwards streams over a devnode in memory or a scripted node
 * work within `TestScheduler.run()` and under fake timers, where nothing can be loaded. Rejects where a part cannot be
 * loaded.
 */
export async function ready(): Promise<void> {
  const modules = [connectionModule, utxoSetsModule, statusesModule, resumedBatchesModule, sendersModule]
  await Promise.all(modules.map((module) => module.load()))
}
