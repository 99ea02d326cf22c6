import type { FaultKind } from './fault.js'

export type InjectBlockSettings = {
  /** Whether the notifications arrive just before a reply or just before the connection is cut. */
  readonly before: 'reply' | 'close'
  /** The method whose next call triggers it; empty: any. */
  readonly method: string
}

/** Mines a block so that its notifications arrive just before a reply, or before the connection is cut. */
export const injectBlock: FaultKind<InjectBlockSettings> = {
  about: 'Mines a block just before a reply, or just before it cuts the connection instead.',
  settings: { before: 'reply', method: '' },
  choices: { before: ['reply', 'close'] },
  times: 1,
  create({ before, method }, context) {
    const matches = (called: string): boolean => method === '' || called === method
    const mine = () => {
      context.triggered() // before mining: the block's own notifications pass through this fault, too
      context.mine()
    }
    if (before === 'close') {
      return {
        call(called) {
          if (!matches(called)) return undefined
          mine()
          return { kind: 'cut' }
        },
      }
    }
    return {
      outgoing(message) {
        if (message.replyTo !== undefined && matches(message.replyTo)) mine()
        return [message]
      },
    }
  },
}
