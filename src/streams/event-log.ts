import { NEVER } from 'rxjs'
import type { RpcEvent } from '../model/event.js'
import { createHistory, type History } from './history.js'
import type { NodeLink } from './session/node-link.js'

/** Events in the log. */
const MAX_EVENTS = 200

/** The newest 200 received events, oldest first. Causes no subscription at the node. */
export type EventLog = History<RpcEvent>

export const createEventLog = (node: Pick<NodeLink, 'received$' | 'ended$' | 'platform'>): EventLog =>
  createHistory<RpcEvent, RpcEvent>({
    ...node,
    events$: node.received$,
    subject$: NEVER, // the log continues across networks
    reduce: (items, batch) => [...items, ...batch.slice(-MAX_EVENTS)].slice(-MAX_EVENTS),
  })
