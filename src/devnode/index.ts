export { TEST_MNEMONIC, type DevnodeAccount } from './accounts.js'
export { createDevnode } from './create-devnode.js'
export type { Devnode, DevnodeEngineOptions } from './devnode.js'
export type { ActiveFault } from './faults/active-fault.js'
export type { FaultSettings, FaultSpan } from './faults/fault.js'
export type { BeginFault, FaultMethods, Faults } from './faults/faults.js'
export type { FaultName, FaultSettingsMap, SettingsOf } from './faults/kinds.js'
export type { DropSettings } from './faults/drop.js'
export type { RefuseSettings } from './faults/refuse.js'
export type { FreezeSettings } from './faults/freeze.js'
export type { DelaySettings } from './faults/delay.js'
export type { ThrottleSettings } from './faults/throttle.js'
export type { DropReplySettings } from './faults/drop-reply.js'
export type { ReorderRepliesSettings } from './faults/reorder-replies.js'
export type { FailCallSettings } from './faults/fail-call.js'
export type { CorruptSettings } from './faults/corrupt.js'
export type { PadSettings } from './faults/pad.js'
export type { BreakSubscribingSettings } from './faults/break-subscribing.js'
export type { InjectBlockSettings } from './faults/inject-block.js'
export type { DuplicateSettings } from './faults/duplicate.js'
export type { WrongNetworkSettings } from './faults/wrong-network.js'
export type { FailRestSettings } from './faults/fail-rest.js'
export type { MessageFilter } from './faults/message-filter.js'
export { faultSchedule, type FaultStep, type RandomFaults } from './faults/random-faults.js'
export type { Utxo, ExpectedBalance, ExpectedTransfer, Expected } from './ledger/ledger.js'
export type { DeployedContract, DevnodeContracts, DevnodeInstance, InstanceOutput } from './contracts.js'
export type { RefusedScript } from './ledger/ledger.js'
export { formatRefusal } from './format-refusal.js'
export type { DevnodeForkOptions, DevnodeOptions } from './options.js'
export type { DevnodeConnection } from './server/rpc.js'
export type { SubscriptionRequest } from './server/subscriptions.js'
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
