import type { FaultKind } from './fault.js'

export type InterjectSettings = {
  /** What the notifications come just before. */
  readonly before: 'answer' | 'close'
  /** The method whose next call it strikes; empty: any. */
  readonly method: string
}

/** A block comes at the worst moment: its notifications arrive just before an answer, or before the connection is cut. */
export const interject: FaultKind<InterjectSettings> = {
  about: 'Mines a block just before an answer, or just before it cuts the connection instead.',
  settings: { before: 'answer', method: '' },
  choices: { before: ['answer', 'close'] },
  times: 1,
  create({ before, method }, scene) {
    const isMeant = (called: string): boolean => method === '' || called === method
    const strike = () => {
      scene.struck() // first: what the block brings passes through here, too
      scene.mine()
    }
    if (before === 'close') {
      return {
        call(called) {
          if (!isMeant(called)) return undefined
          strike()
          return { kind: 'cut' }
        },
      }
    }
    return {
      parcel(parcel) {
        if (parcel.answers !== undefined && isMeant(parcel.answers)) strike()
        return [parcel]
      },
    }
  },
}
