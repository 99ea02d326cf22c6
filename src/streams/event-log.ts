import { NEVER } from 'rxjs'
import type { RpcEvent } from '../model/event.js'
import { createHistory, type History } from './history.js'
import type { NodeLink } from './session/node-link.js'

/** Events that the log holds. */
const LOGGED = 200

/** The newest 200 of the events that are subscribed to anyway, oldest first. */
export type EventLog = History<RpcEvent>

export const createEventLog = (node: Pick<NodeLink, 'heard$' | 'ended$' | 'platform'>): EventLog =>
  createHistory<RpcEvent, RpcEvent>({
    ...node,
    events$: node.heard$,
    subject$: NEVER, // the log goes on through every network
    reduce: (items, batch) => [...items, ...batch.slice(-LOGGED)].slice(-LOGGED),
  })
