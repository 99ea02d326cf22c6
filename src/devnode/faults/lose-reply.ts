import type { FaultKind } from './fault.js'

export type LoseReplySettings = {
  /** The method whose answers are lost; empty: any. */
  readonly method: string
}

/** The work is done and the answer is lost: what a client must not mistake for a refusal. */
export const loseReply: FaultKind<LoseReplySettings> = {
  about: 'Does the work of the next call and loses its answer.',
  settings: { method: '' },
  times: 1,
  create: ({ method }, scene) => ({
    parcel(parcel) {
      if (parcel.answers === undefined || (method !== '' && parcel.answers !== method)) return [parcel]
      scene.struck()
      return []
    },
  }),
}
