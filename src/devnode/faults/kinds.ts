import { borshNotifications } from './borsh-notifications.js'
import { breakSubscribing, type BreakSubscribingSettings } from './break-subscribing.js'
import type { FaultKind } from './fault.js'
import { delay, type DelaySettings } from './delay.js'
import { throttle, type ThrottleSettings } from './throttle.js'
import { drop, type DropSettings } from './drop.js'
import { duplicate, type DuplicateSettings } from './duplicate.js'
import { failCall, type FailCallSettings } from './fail-call.js'
import { failRest, type FailRestSettings } from './fail-rest.js'
import { freeze, type FreezeSettings } from './freeze.js'
import { injectBlock, type InjectBlockSettings } from './inject-block.js'
import { dropReply, type DropReplySettings } from './drop-reply.js'
import { corrupt, type CorruptSettings } from './corrupt.js'
import { noUtxoIndex } from './no-utxo-index.js'
import { notSynced } from './not-synced.js'
import { reorderReplies, type ReorderRepliesSettings } from './reorder-replies.js'
import { pad, type PadSettings } from './pad.js'
import { refuse, type RefuseSettings } from './refuse.js'
import { reorder } from './reorder.js'
import { stall } from './stall.js'
import { wrongNetwork, type WrongNetworkSettings } from './wrong-network.js'

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
