import { describe, expect, it } from 'vitest'
import { ChainWalletError } from '../../../src/errors/wallet-error.js'
import type { Prompt, Reading, Session, WalletEvent, WalletPhase } from '../../../src/streams/wallet/phases.js'
import { initialPhase, reduceWallet } from '../../../src/streams/wallet/reduce-wallet.js'
import type { WalletAccount, WalletBalance } from '../../../src/wallets/port.js'
import { ANNA, BERT, scriptedWallet } from './harness.js'

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
/** The balance is still being read. */
const withoutBalance = (account: WalletAccount): Reading => ({ status: 'open', account, balance: undefined })
const unavailable = (status: 'locked' | 'disconnected-by-wallet'): Reading => ({ status })

const prompted = (prompt: Prompt): WalletEvent => ({ type: 'prompted', prompt })
const succeeded = (prompt: Prompt): WalletEvent => ({ type: 'succeeded', prompt })
const failed = (prompt: Prompt): WalletEvent => ({ type: 'failed', prompt, error })
const connected = (prompt: Prompt, reading = open(ANNA)): WalletEvent => ({
  type: 'connected',
  prompt,
  session,
  reading,
})
const refreshed = (reading: Reading, by = session): WalletEvent => ({ type: 'refreshed', session: by, reading })
const stillOpen = (reading: Reading, by = session): WalletEvent => ({ type: 'stillOpen', session: by, reading })
const withdrawn = (by = session): WalletEvent => ({ type: 'withdrawn', session: by })
const restored = (reading: Reading): WalletEvent => ({ type: 'restored', session, reading })
const notFound: WalletEvent = { type: 'notFound' }
const refused: WalletEvent = { type: 'refused', error }
const disconnect: WalletEvent = { type: 'disconnectRequested' }

const after = (events: readonly WalletEvent[], remembered: string | null = null): WalletPhase =>
  events.reduce(reduceWallet, initialPhase(remembered))

/** A phase in one line: connection, prompt, error. */
function toLine({ connection, prompt, error: failure }: WalletPhase): string {
  const account = connection.status === 'connected' ? ` ${connection.account === ANNA ? 'Anna' : 'Bert'}` : ''
  const money = connection.status === 'connected' && connection.balance ? ` ${connection.balance.total}` : ''
  return [`${connection.status}${account}${money}`, prompt?.operation, failure?.code].filter(Boolean).join(', ')
}

const CONNECTED = [prompted(connecting), connected(connecting)]
const RICH = [prompted(connecting), connected(connecting, open(ANNA, rich))]

const table: { given: readonly WalletEvent[]; when: WalletEvent; becomes: string; remembered?: string }[] = [
  { given: [], when: prompted(connecting), becomes: 'disconnected, connect' },
  { given: [refused], when: prompted(connecting), becomes: 'disconnected, connect' },
  { given: [prompted(connecting)], when: connected(connecting), becomes: 'connected Anna' },
  { given: [prompted(connecting)], when: failed(connecting), becomes: 'disconnected, rejected' },
  { given: [prompted(connecting)], when: refused, becomes: 'disconnected, connect, rejected' },
  { given: [prompted(connecting)], when: disconnect, becomes: 'disconnected' },
  { given: CONNECTED, when: prompted(sending), becomes: 'connected Anna, sendKaspa' },
  { given: [...CONNECTED, prompted(sending), refused], when: succeeded(sending), becomes: 'connected Anna' },
  { given: [...CONNECTED, prompted(sending)], when: failed(sending), becomes: 'connected Anna, rejected' },
  { given: [...CONNECTED, prompted(sending)], when: refreshed(open(BERT)), becomes: 'connected Bert, sendKaspa' },
  { given: CONNECTED, when: refreshed(open(BERT)), becomes: 'connected Bert' },
  { given: CONNECTED, when: refreshed(open(ANNA, rich)), becomes: 'connected Anna 5' },
  { given: [...CONNECTED, refused], when: refreshed(open(BERT)), becomes: 'connected Bert, rejected' },
  { given: [...CONNECTED, refused], when: stillOpen(open(BERT)), becomes: 'connected Bert' },
  { given: [...CONNECTED, refused], when: stillOpen(open(ANNA)), becomes: 'connected Anna' },
  { given: RICH, when: refreshed(withoutBalance(BERT)), becomes: 'connected Bert' },
  { given: RICH, when: refreshed(open(ANNA, null)), becomes: 'connected Anna' },
  { given: CONNECTED, when: refreshed(unavailable('locked')), becomes: 'locked' },
  { given: CONNECTED, when: refreshed(unavailable('disconnected-by-wallet')), becomes: 'disconnected-by-wallet' },
  { given: CONNECTED, when: withdrawn(), becomes: 'disconnected-by-wallet' },
  { given: [...CONNECTED, withdrawn()], when: refreshed(unavailable('locked')), becomes: 'locked' },
  { given: [...CONNECTED, refreshed(unavailable('locked'))], when: refreshed(open(ANNA)), becomes: 'connected Anna' },
  { given: [...CONNECTED, refreshed(unavailable('locked'))], when: prompted(connecting), becomes: 'locked, connect' },
  { given: CONNECTED, when: disconnect, becomes: 'disconnected' },
  { given: [refused], when: disconnect, becomes: 'disconnected' },
  { given: [], when: restored(open(ANNA)), becomes: 'connected Anna', remembered: 'walletA' },
  {
    given: [],
    when: restored(unavailable('disconnected-by-wallet')),
    becomes: 'disconnected-by-wallet',
    remembered: 'walletA',
  },
  { given: [], when: notFound, becomes: 'disconnected', remembered: 'walletA' },
  { given: [], when: disconnect, becomes: 'disconnected', remembered: 'walletA' },
  { given: [], when: prompted(connecting), becomes: 'disconnected, connect', remembered: 'walletA' },
]

describe('a wallet session', () => {
  it.each(table)('after $given.length events and $when.type is "$becomes"', (row) => {
    expect(toLine(reduceWallet(after(row.given, row.remembered), row.when))).toBe(row.becomes)
  })

  it.each<[string, readonly WalletEvent[], WalletEvent]>([
    ['the result of an aborted prompt', [prompted(connecting), disconnect], connected(connecting)],
    ['the failure of an aborted prompt', [prompted(sending), disconnect], failed(sending)],
    ['the result of an unknown prompt', CONNECTED, succeeded(sending)],
    ['a second prompt', [...CONNECTED, prompted(sending)], prompted({ ...sending })],
    ['the result of an equal, but different prompt', [...CONNECTED, prompted(sending)], succeeded({ ...sending })],
    ['a reading of an earlier wallet', CONNECTED, refreshed(open(BERT), earlier)],
    ['a second connect() without a change', RICH, stillOpen(open(ANNA, rich))],
    ['a second connect() to an earlier wallet', CONNECTED, stillOpen(open(BERT), earlier)],
    ['a withdrawal by an earlier wallet', CONNECTED, withdrawn(earlier)],
    ['a reading after disconnect()', [...CONNECTED, disconnect], refreshed(open(ANNA))],
    ['a reading without a change', RICH, refreshed(open({ ...ANNA }, { ...rich }))],
    ['a reading whose balance is still being read', RICH, refreshed(withoutBalance(ANNA))],
    [
      'a second reading of a locked wallet',
      [...CONNECTED, refreshed(unavailable('locked'))],
      refreshed(unavailable('locked')),
    ],
    ['a withdrawal by a locked wallet', [...CONNECTED, refreshed(unavailable('locked'))], withdrawn()],
    ['the last visit’s wallet, after somebody prompted for one', [prompted(connecting)], restored(open(BERT))],
    ['a missing last visit’s wallet while none is being restored', CONNECTED, notFound],
    ['a disconnect without a wallet', [], disconnect],
  ])('ignores %s', (_, given, event) => {
    const phase = after(given)
    expect(reduceWallet(phase, event)).toBe(phase)
  })

  it('stops restoring the last visit’s wallet on connect()', () => {
    const phase = after([prompted(connecting), failed(connecting)], 'walletA')
    expect(reduceWallet(phase, restored(open(ANNA)))).toBe(phase)
  })
})
