export { TEST_MNEMONIC, type DevnodeAccount } from './accounts.js'
export { createDevnode } from './create-devnode.js'
export type { Devnode, DevnodeEngineOptions, DevnodeUrls, DevnodeForkOptions, DevnodeOptions } from './devnode.js'
export type { ActiveFault } from './faults/active-fault.js'
export type { FaultSettings, FaultSpan } from './faults/fault.js'
export type { BeginFault, FaultMethods, Faults } from './faults/faults.js'
export type { FaultName, FaultSettingsMap, SettingsOf } from './faults/kinds.js'
export type {
  DropSettings,
  RefuseSettings,
  FreezeSettings,
  DelaySettings,
  ThrottleSettings,
  DropReplySettings,
  ReorderRepliesSettings,
} from './faults/transport-faults.js'
export type { FailCallSettings, BreakSubscribingSettings, FailRestSettings } from './faults/call-faults.js'
export type { CorruptSettings, PadSettings, DuplicateSettings, MessageFilter } from './faults/message-faults.js'
export type { InjectBlockSettings, WrongNetworkSettings } from './faults/node-faults.js'
export { faultSchedule, type FaultStep, type RandomFaults } from './faults/random-faults.js'
export type { Utxo, ExpectedBalance, ExpectedTransfer, Expected, RefusedScript } from './ledger/ledger.js'
export type { DeployedContract, DevnodeContracts, DevnodeInstance, InstanceOutput } from './contracts.js'
export { formatRefusal } from './ledger/mempool/refusals.js'
export type { DevnodeConnection } from './server/rpc.js'
export type { SubscriptionRequest } from './server/subscriptions.js'
export type { ExpectedState, EventCounts } from './live-ledger.js'
export type {
  DevnodeFundOptions,
  DevnodeMineOptions,
  DevnodePruneOptions,
  DevnodeReorg,
  DevnodeReorgOptions,
  DevnodeSyncOptions,
  DevnodeMethods,
} from './methods.js'
