import {
  borshNotifications,
  reorder,
  duplicate,
  corrupt,
  pad,
  type DuplicateSettings,
  type CorruptSettings,
  type PadSettings,
} from './message-faults.js'
import {
  breakSubscribing,
  failCall,
  failRest,
  type BreakSubscribingSettings,
  type FailCallSettings,
  type FailRestSettings,
} from './call-faults.js'
import type { FaultKind } from './fault.js'
import {
  delay,
  throttle,
  dropReply,
  reorderReplies,
  type DelaySettings,
  type ThrottleSettings,
  type DropReplySettings,
  type ReorderRepliesSettings,
  drop,
  freeze,
  refuse,
  type DropSettings,
  type FreezeSettings,
  type RefuseSettings,
} from './transport-faults.js'
import {
  injectBlock,
  noUtxoIndex,
  notSynced,
  stall,
  wrongNetwork,
  type InjectBlockSettings,
  type WrongNetworkSettings,
} from './node-faults.js'

/** The settings of each kind of fault. */
export interface FaultSettingsMap {
  readonly drop: DropSettings
  readonly refuse: RefuseSettings
  readonly freeze: FreezeSettings
  readonly delay: DelaySettings
  readonly throttle: ThrottleSettings
  readonly dropReply: DropReplySettings
  readonly reorderReplies: ReorderRepliesSettings
  readonly failCall: FailCallSettings
  readonly corrupt: CorruptSettings
  readonly pad: PadSettings
  readonly breakSubscribing: BreakSubscribingSettings
  readonly injectBlock: InjectBlockSettings
  readonly duplicate: DuplicateSettings
  readonly reorder: Record<string, never>
  readonly borshNotifications: Record<string, never>
  readonly stall: Record<string, never>
  readonly notSynced: Record<string, never>
  readonly noUtxoIndex: Record<string, never>
  readonly wrongNetwork: WrongNetworkSettings
  readonly failRest: FailRestSettings
}

export type FaultName = keyof FaultSettingsMap

/** Every kind of fault, by its name in the library and at the control endpoint. */
export const FAULT_KINDS: { readonly [N in FaultName]: FaultKind<FaultSettingsMap[N]> } = {
  drop,
  refuse,
  freeze,
  delay,
  throttle,
  dropReply,
  reorderReplies,
  failCall,
  corrupt,
  pad,
  breakSubscribing,
  injectBlock,
  duplicate,
  reorder,
  borshNotifications,
  stall,
  notSynced,
  noUtxoIndex,
  wrongNetwork,
  failRest,
}

/** The settings of one kind of fault. */
export type SettingsOf<N extends FaultName> = FaultSettingsMap[N]

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name)
