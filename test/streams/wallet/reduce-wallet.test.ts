import { describe, expect, it } from 'vitest'
import { ChainWalletError } from '../../../src/errors/wallet-error.js'
import type { Prompt, Reading, Session, WalletEvent, WalletPhase } from '../../../src/streams/wallet/phases.js'
import { beginWith, reduceWallet } from '../../../src/streams/wallet/reduce-wallet.js'
import type { WalletAccount, WalletBalance } from '../../../src/wallets/port.js'
import { ANNA, BERT, scriptedWallet } from './scene.js'

const session: Session = { wallet: scriptedWallet() }
const earlier: Session = { wallet: scriptedWallet() }
const connecting: Prompt = { operation: 'connect', wallet: 'walletA' }
const sending: Prompt = { operation: 'sendKaspa', wallet: 'walletA' }
const rich: WalletBalance = { confirmed: 5n, unconfirmed: 0n, total: 5n }
const error = new ChainWalletError('connect', new Error('no'), { code: 'rejected' })

const open = (account: WalletAccount, balance: WalletBalance | null = null): Reading => ({
  status: 'open',
  account,
  balance,
})
/** The balance is still being counted. */
const uncounted = (account: WalletAccount): Reading => ({ status: 'open', account, balance: undefined })
const shut = (status: 'locked' | 'gone'): Reading => ({ status })

const asked = (prompt: Prompt): WalletEvent => ({ type: 'asked', prompt })
const answered = (prompt: Prompt): WalletEvent => ({ type: 'answered', prompt })
const failed = (prompt: Prompt): WalletEvent => ({ type: 'failed', prompt, error })
const connected = (prompt: Prompt, reading = open(ANNA)): WalletEvent => ({
  type: 'connected',
  prompt,
  session,
  reading,
})
const looked = (reading: Reading, by = session): WalletEvent => ({ type: 'looked', session: by, reading })
const stillOpen = (reading: Reading, by = session): WalletEvent => ({ type: 'stillOpen', session: by, reading })
const withdrawn = (by = session): WalletEvent => ({ type: 'withdrawn', session: by })
const restored = (reading: Reading): WalletEvent => ({ type: 'restored', session, reading })
const missed: WalletEvent = { type: 'missed' }
const refused: WalletEvent = { type: 'refused', error }
const disconnect: WalletEvent = { type: 'disconnectRequested' }

const after = (events: readonly WalletEvent[], remembered: string | null = null): WalletPhase =>
  events.reduce(reduceWallet, beginWith(remembered))

/** A phase in one line: how we stand, who is asked, what failed. */
function toLine({ standing, prompt, error: failure }: WalletPhase): string {
  const account = standing.status === 'connected' ? ` ${standing.account === ANNA ? 'Anna' : 'Bert'}` : ''
  const money = standing.status === 'connected' && standing.balance ? ` ${standing.balance.total}` : ''
  return [`${standing.status}${account}${money}`, prompt?.operation, failure?.code].filter(Boolean).join(', ')
}

const CONNECTED = [asked(connecting), connected(connecting)]
const RICH = [asked(connecting), connected(connecting, open(ANNA, rich))]

const table: { given: readonly WalletEvent[]; when: WalletEvent; becomes: string; remembered?: string }[] = [
  { given: [], when: asked(connecting), becomes: 'disconnected, connect' },
  { given: [refused], when: asked(connecting), becomes: 'disconnected, connect' },
  { given: [asked(connecting)], when: connected(connecting), becomes: 'connected Anna' },
  { given: [asked(connecting)], when: failed(connecting), becomes: 'disconnected, rejected' },
  { given: [asked(connecting)], when: refused, becomes: 'disconnected, connect, rejected' },
  { given: [asked(connecting)], when: disconnect, becomes: 'disconnected' },
  { given: CONNECTED, when: asked(sending), becomes: 'connected Anna, sendKaspa' },
  { given: [...CONNECTED, asked(sending), refused], when: answered(sending), becomes: 'connected Anna' },
  { given: [...CONNECTED, asked(sending)], when: failed(sending), becomes: 'connected Anna, rejected' },
  { given: [...CONNECTED, asked(sending)], when: looked(open(BERT)), becomes: 'connected Bert, sendKaspa' },
  { given: CONNECTED, when: looked(open(BERT)), becomes: 'connected Bert' },
  { given: CONNECTED, when: looked(open(ANNA, rich)), becomes: 'connected Anna 5' },
  { given: [...CONNECTED, refused], when: looked(open(BERT)), becomes: 'connected Bert, rejected' },
  { given: [...CONNECTED, refused], when: stillOpen(open(BERT)), becomes: 'connected Bert' },
  { given: [...CONNECTED, refused], when: stillOpen(open(ANNA)), becomes: 'connected Anna' },
  { given: RICH, when: looked(uncounted(BERT)), becomes: 'connected Bert' },
  { given: RICH, when: looked(open(ANNA, null)), becomes: 'connected Anna' },
  { given: CONNECTED, when: looked(shut('locked')), becomes: 'locked' },
  { given: CONNECTED, when: looked(shut('gone')), becomes: 'gone' },
  { given: CONNECTED, when: withdrawn(), becomes: 'gone' },
  { given: [...CONNECTED, withdrawn()], when: looked(shut('locked')), becomes: 'locked' },
  { given: [...CONNECTED, looked(shut('locked'))], when: looked(open(ANNA)), becomes: 'connected Anna' },
  { given: [...CONNECTED, looked(shut('locked'))], when: asked(connecting), becomes: 'locked, connect' },
  { given: CONNECTED, when: disconnect, becomes: 'disconnected' },
  { given: [refused], when: disconnect, becomes: 'disconnected' },
  { given: [], when: restored(open(ANNA)), becomes: 'connected Anna', remembered: 'walletA' },
  { given: [], when: restored(shut('gone')), becomes: 'gone', remembered: 'walletA' },
  { given: [], when: missed, becomes: 'disconnected', remembered: 'walletA' },
  { given: [], when: disconnect, becomes: 'disconnected', remembered: 'walletA' },
  { given: [], when: asked(connecting), becomes: 'disconnected, connect', remembered: 'walletA' },
]

describe('a wallet session', () => {
  it.each(table)('that is after $given.length events takes $when.type and becomes "$becomes"', (row) => {
    expect(toLine(reduceWallet(after(row.given, row.remembered), row.when))).toBe(row.becomes)
  })

  it.each<[string, readonly WalletEvent[], WalletEvent]>([
    ['an answer to a question that was given up', [asked(connecting), disconnect], connected(connecting)],
    ['a failure of a question that was given up', [asked(sending), disconnect], failed(sending)],
    ['an answer to nobody’s question', CONNECTED, answered(sending)],
    ['a second question', [...CONNECTED, asked(sending)], asked({ ...sending })],
    ['an answer to a question that looks the same', [...CONNECTED, asked(sending)], answered({ ...sending })],
    ['a look at a wallet that is not in use any more', CONNECTED, looked(open(BERT), earlier)],
    ['a second connect() to what is connected', RICH, stillOpen(open(ANNA, rich))],
    ['a second connect() to a wallet that is not in use any more', CONNECTED, stillOpen(open(BERT), earlier)],
    ['a farewell of a wallet that is not in use any more', CONNECTED, withdrawn(earlier)],
    ['a look after disconnect()', [...CONNECTED, disconnect], looked(open(ANNA))],
    ['a look that shows nothing new', RICH, looked(open({ ...ANNA }, { ...rich }))],
    ['a look whose balance is still being counted', RICH, looked(uncounted(ANNA))],
    ['a second look at what is locked', [...CONNECTED, looked(shut('locked'))], looked(shut('locked'))],
    ['a farewell from what is locked', [...CONNECTED, looked(shut('locked'))], withdrawn()],
    ['the last visit’s wallet, after somebody asked for one', [asked(connecting)], restored(open(BERT))],
    ['that the last visit’s wallet is missed, where nobody seeks it', CONNECTED, missed],
    ['a disconnect where there is nothing to end', [], disconnect],
  ])('is not moved by %s', (_, given, event) => {
    const phase = after(given)
    expect(reduceWallet(phase, event)).toBe(phase)
  })

  it('does not seek the last visit’s wallet any more once somebody asks for one', () => {
    const phase = after([asked(connecting), failed(connecting)], 'walletA')
    expect(reduceWallet(phase, restored(open(ANNA)))).toBe(phase)
  })
})
