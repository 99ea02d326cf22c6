import type { FaultKind } from './fault.js'

export type RefuseSettings = {
  /**
   * `reset`: a TCP reset. `hang`: TCP stays open, the WebSocket handshake gets no response.
   * `status`: HTTP `status` instead of the handshake. `close`: the WebSocket opens and is cut immediately.
   */
  readonly how: 'reset' | 'hang' | 'status' | 'close'
  readonly status: number
}

/** Refuses new connections; open ones are not affected. */
export const refuse: FaultKind<RefuseSettings> = {
  about: 'Refuses new connections.',
  settings: { how: 'reset', status: 503 },
  choices: { how: ['reset', 'hang', 'status', 'close'] },
  create: ({ how, status }, context) => ({
    handshake() {
      context.triggered()
      return how === 'status' ? { kind: how, status } : { kind: how }
    },
  }),
}
