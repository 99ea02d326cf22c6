import type { FaultKind } from './fault.js'

export type RefuseSettings = {
  /**
   * `reset`: the TCP connection ends at once. `silence`: it stands, and the WebSocket handshake is never answered.
   * `status`: HTTP `status` in place of the handshake. `close`: the WebSocket opens and is cut at once.
   */
  readonly how: 'reset' | 'silence' | 'status' | 'close'
  readonly status: number
}

/** No new connection comes about; those that stand are left alone. */
export const refuse: FaultKind<RefuseSettings> = {
  about: 'Refuses new connections.',
  settings: { how: 'reset', status: 503 },
  choices: { how: ['reset', 'silence', 'status', 'close'] },
  create: ({ how, status }, scene) => ({
    arrival() {
      scene.struck()
      return how === 'status' ? { kind: how, status } : { kind: how }
    },
  }),
}
