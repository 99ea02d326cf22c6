import { borshNotifications } from './borsh-notifications.js'
import { breakSubscribing } from './break-subscribing.js'
import { delay } from './delay.js'
import { throttle } from './throttle.js'
import { drop } from './drop.js'
import { duplicate } from './duplicate.js'
import { failCall } from './fail-call.js'
import { failRest } from './fail-rest.js'
import { freeze } from './freeze.js'
import { injectBlock } from './inject-block.js'
import { dropReply } from './drop-reply.js'
import { corrupt } from './corrupt.js'
import { noUtxoIndex } from './no-utxo-index.js'
import { notSynced } from './not-synced.js'
import { reorderReplies } from './reorder-replies.js'
import { pad } from './pad.js'
import { refuse } from './refuse.js'
import { reorder } from './reorder.js'
import { stall } from './stall.js'
import { wrongNetwork } from './wrong-network.js'

/** Every kind of fault, by its name in the library and at the control endpoint. */
export const FAULT_KINDS = {
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
} as const

export type FaultName = keyof typeof FAULT_KINDS

/** The settings of one kind of fault. */
export type SettingsOf<N extends FaultName> = (typeof FAULT_KINDS)[N]['settings']

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name)
