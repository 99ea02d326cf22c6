import { borshNotifications } from './borsh-notifications.js'
import { breakSubscribing } from './break-subscribing.js'
import { delay } from './delay.js'
import { drip } from './drip.js'
import { drop } from './drop.js'
import { duplicate } from './duplicate.js'
import { failCall } from './fail-call.js'
import { failRest } from './fail-rest.js'
import { freeze } from './freeze.js'
import { interject } from './interject.js'
import { loseReply } from './lose-reply.js'
import { malform } from './malform.js'
import { noUtxoIndex } from './no-utxo-index.js'
import { notSynced } from './not-synced.js'
import { overtake } from './overtake.js'
import { pad } from './pad.js'
import { refuse } from './refuse.js'
import { reorder } from './reorder.js'
import { stuck } from './stuck.js'
import { wrongNetwork } from './wrong-network.js'

/** Everything that can go wrong, by the name under which the library and the control endpoint know it. */
export const FAULT_KINDS = {
  drop,
  refuse,
  freeze,
  delay,
  drip,
  loseReply,
  overtake,
  failCall,
  malform,
  pad,
  breakSubscribing,
  interject,
  duplicate,
  reorder,
  borshNotifications,
  stuck,
  notSynced,
  noUtxoIndex,
  wrongNetwork,
  failRest,
} as const

export type FaultName = keyof typeof FAULT_KINDS

/** The settings of one kind of fault. */
export type SettingsOf<N extends FaultName> = (typeof FAULT_KINDS)[N]['settings']

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULT_KINDS, name)
