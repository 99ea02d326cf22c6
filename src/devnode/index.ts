export { TEST_MNEMONIC, type DevnodeAccount } from './accounts.js'
export { createDevnode } from './create-devnode.js'
export type { Devnode, DevnodeEngineOptions } from './devnode.js'
export type { ActiveFault } from './faults/active-fault.js'
export type { FaultSettings, FaultSpan } from './faults/fault.js'
export type { BeginFault, Faults } from './faults/faults.js'
export type { FaultName, SettingsOf } from './faults/kinds.js'
export { faultSchedule, type FaultStep, type RandomFaults } from './faults/random-faults.js'
export type { Utxo, ExpectedBalance, ExpectedTransfer, Expected } from './ledger/ledger.js'
export type { DevnodeForkOptions, DevnodeOptions } from './options.js'
export type { DevnodeConnection } from './server/rpc.js'
export type { DevnodeUrls } from './servers.js'
export type { ExpectedState, EventCounts } from './expected-state.js'
export type {
  DevnodeFundOptions,
  DevnodeMineOptions,
  DevnodePruneOptions,
  DevnodeReorg,
  DevnodeReorgOptions,
  DevnodeSyncOptions,
  DevnodeMethods,
} from './methods.js'
