import { NEVER, delay, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { ChainWalletError } from '../../../src/errors/wallet-error.js'
import type { Wallet, WalletHint } from '../../../src/wallets/port.js'
import { marbles, type Marbles } from '../../marbles.js'
import {
  ANNA,
  BERT,
  DISCONNECTED,
  LOCKED,
  TEST,
  createHarness,
  during,
  open,
  present,
  scriptedWallet,
} from './harness.js'

const HINTS = { c: 'changed', w: 'withdrawn' } as const satisfies Record<string, WalletHint>

describe('connect()', () => {
  it(
    'is connecting while the prompt is pending',
    marbles((m) => {
      const wallet = scriptedWallet({ connect: () => m.cold('---(a|)', { a: ANNA }) })
      const { session, letters$ } = createHarness(m.scheduler, present(wallet))
      const script = '  -c'
      const expected = 'dc--A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'prompts once for concurrent calls',
    marbles((m) => {
      const connect$ = m.cold('---(a|)', { a: ANNA })
      const { session, letters$ } = createHarness(m.scheduler, present(scriptedWallet({ connect: () => connect$ })))
      const script = '  -cc'
      const expected = 'dc--A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
      m.expect(connect$).toHaveSubscriptions(['-^--!'])
    }),
  )

  it(
    'ends disconnected with an error when the user rejects',
    marbles((m) => {
      const wallet = scriptedWallet({ connect: () => m.cold('---#') })
      const { session, letters$ } = createHarness(m.scheduler, present(wallet))
      const script = '  -c'
      const expected = 'dc--e'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'fails when the wallet provides no account after the approval',
    marbles((m) => {
      const wallet = scriptedWallet({
        balance: () => NEVER,
        hints$: m.cold('-----w', HINTS),
        refresh: () => of(LOCKED),
      })
      const { session, letters$ } = createHarness(m.scheduler, present(wallet))
      const actions = { c: () => session.connect('walletA'), d: () => session.disconnect() }
      const script = '  -c------d'
      const expected = 'dc----e-d'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )

  it(
    'ignores an approval after disconnect()',
    marbles((m) => {
      const connect$ = m.cold('-----(a|)', { a: ANNA })
      const { session, letters$ } = createHarness(m.scheduler, present(scriptedWallet({ connect: () => connect$ })))
      const actions = { c: () => session.connect('walletA'), d: () => session.disconnect() }
      const script = '  -c-d'
      const expected = 'dc-d'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
      m.expect(connect$).toHaveSubscriptions(['-^-!'])
    }),
  )

  it(
    'waits for a wallet until 5 s after the search started',
    marbles((m) => {
      const { session, letters$ } = createHarness(m.scheduler, { wallets$: NEVER }, { until: 10_000 })
      const script = '  -c'
      const expected = 'dc 4998ms e'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'is read again on a hint before the first reading is complete',
    marbles((m) => {
      const hints$ = m.hot('---c', HINTS)
      const balance = () => m.cold('-----(n|)', { n: null })
      const wallet = scriptedWallet({ hints$, connect: () => of(ANNA), refresh: () => of(open(BERT)), balance })
      const { session, letters$ } = createHarness(m.scheduler, present(wallet))
      const actions = { c: () => session.connect('walletA'), x: () => session.dispose() }
      const script = '       -c---------x'
      const expected = '     dc------B--d'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )

  it(
    'keeps the earlier wallet in use until the new one is connected',
    marbles((m) => {
      const hints$ = m.hot('--------------')
      const first = scriptedWallet({ hints$ })
      const info = { ...first.info, id: 'walletB' }
      const second = scriptedWallet({ info, connect: () => m.cold('---(b|)', { b: BERT }) })
      const { session, letters$ } = createHarness(m.scheduler, present(first, second))
      const actions = { a: () => session.connect('walletA'), b: () => session.connect('walletB') }
      const script = '     -a----b-------'
      const expected = '   d(cA)-p--B----'
      const listening = '  -^-------!    '
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
      m.expect(hints$).toHaveSubscriptions([listening])
    }),
  )
})

describe('a wallet in use', () => {
  /** A session that is connected to Anna's account at frame 1. */
  const connected = (m: Marbles, script: Partial<Wallet>, until?: number) => {
    const options = until === undefined ? {} : { until }
    const { session, letters$, platform } = createHarness(m.scheduler, present(scriptedWallet(script)), options)
    const actions = {
      c: () => session.connect('walletA'),
      d: () => session.disconnect(),
      a: () => session.abort(),
      h: () => {
        platform.visible$.next(false)
      },
      s: () => {
        platform.visible$.next(true)
      },
      p: () => session.sendKaspa(BERT.address, 1n),
      m: () => session.signMessage('x'),
      t: () => session.switchNetwork('testnet-10'),
      x: () => {
        session.dispose()
      },
    }
    const run = (letters: string) => during(letters$, m.hot(letters), actions)
    return { session, letters$, platform, run }
  }

  it(
    'is read again on a hint',
    marbles((m) => {
      const hints$ = m.hot('------c----', HINTS)
      const refresh = () => m.cold('  --(b|) ', { b: open(BERT) })
      const expected = '   d(cA)---B  '
      m.expect(connected(m, { hints$, refresh }).run('-c')).toBeObservable(expected)
    }),
  )

  it(
    'cancels a read in flight on a newer hint',
    marbles((m) => {
      const hints$ = m.hot('------c-c-----', HINTS)
      const stale$ = m.cold('     ---(b|)   ', { b: open(BERT) })
      const fresh$ = m.cold('       ---(t|) ', { t: open(TEST) })
      const expected = '   d(cA)------T  '
      const readings = [stale$, fresh$]
      const refresh = () => readings.shift() ?? NEVER
      m.expect(connected(m, { hints$, refresh }).run('-c')).toBeObservable(expected)
      m.expect(stale$).toHaveSubscriptions(['------^-!     '])
    }),
  )

  it(
    'is locked after a withdrawal, without a state in between',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const refresh = () => m.cold('   --(l|)  ', { l: LOCKED })
      const expected = '   d(cA)---l   '
      m.expect(connected(m, { hints$, refresh }).run('-c')).toBeObservable(expected)
    }),
  )

  it(
    'shows no account 1 s after a withdrawal that cannot be read',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const refresh = () => m.cold('   --(l|)  ', { l: LOCKED }).pipe(delay(1_500, m.scheduler))
      const expected = '   d(cA)- 1s w 501ms l   '
      m.expect(connected(m, { hints$, refresh }).run('-c')).toBeObservable(expected)
    }),
  )

  it(
    'shows no account at once after a withdrawal in a hidden page',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const refresh = () => m.cold('   --(l|)  ', { l: LOCKED })
      const script = '     -c--h'
      const expected = '   d(cA)-w-l   '
      m.expect(connected(m, { hints$, refresh }).run(script)).toBeObservable(expected)
    }),
  )

  it(
    'is read every 5 s while the page is visible: a lock has no event',
    marbles((m) => {
      const refresh$ = m.cold('(l|)', { l: LOCKED })
      const script = '     -c 2999ms h 9s s'
      const expected = '   d(cA) 16997ms l'
      const readings = [of(open(ANNA)), refresh$, refresh$]
      const refresh = () => readings.shift() ?? refresh$
      m.expect(connected(m, { refresh }, 89_000).run(script)).toBeObservable(expected)
    }),
  )

  it(
    'is read at once after a failure that a lock can cause',
    marbles((m) => {
      const failed = new ChainWalletError('signMessage', new Error('4100'), { code: 'not-connected' })
      const script = '     -c---m'
      const wallet = { refresh: () => of(LOCKED), signMessage: () => throwError(() => failed) }
      const { run, session } = connected(m, wallet)
      m.expect(run(script)).toBeObservable('d(cA)(pAe)')
      m.flush()
      expect(session.state.error).toBe(failed)
    }),
  )

  describe('that stops responding', () => {
    const silent = () =>
      throwError(() => new ChainWalletError('connect', new Error('No response'), { code: 'timeout' }))

    it.each([
      ['sendKaspa', 'p', 'unknown-outcome', '(ee)'], // the second lists the payment as interrupted
      ['signMessage', 'm', 'not-sent', 'e'],
      ['switchNetwork', 't', 'not-sent', 'e'],
    ])('shows no account, and rejects a pending %s', (operation, letter, code, end) => {
      marbles((m) => {
        const { session, run } = connected(m, { refresh: silent }, 9_000)
        m.expect(run(`-c----${letter}`)).toBeObservable(`d(cA)-p 4994ms ${end}`)
        m.flush()
        expect(session.state.error).toMatchObject({ operation, code })
      })()
    })

    it(
      'is connected again once it responds',
      marbles((m) => {
        const readings = [silent(), silent(), of(open(ANNA)), of(open(ANNA))]
        const refresh = () => readings.shift() ?? of(open(ANNA))
        m.expect(connected(m, { refresh }, 14_000).run('-c')).toBeObservable('d(cA) 4996ms w 4999ms A')
      }),
    )

    it(
      'stays connected if it responds to the second read',
      marbles((m) => {
        const readings = [silent(), of(open(ANNA))]
        const refresh = () => readings.shift() ?? of(open(ANNA))
        m.expect(connected(m, { refresh }, 14_000).run('-c')).toBeObservable('d(cA)')
      }),
    )

    it(
      'fails a first connect() as not sent',
      marbles((m) => {
        const wallet = scriptedWallet({ refresh: silent, connect: () => NEVER })
        const { session, letters$ } = createHarness(m.scheduler, present(wallet), { until: 9_000 })
        const actions = { c: () => session.connect('walletA') }
        m.expect(during(letters$, m.hot('-c'), actions)).toBeObservable('dc 4999ms e')
        m.flush()
        expect(session.state.error).toMatchObject({ operation: 'connect', code: 'not-sent' })
      }),
    )
  })

  it(
    'stays connected when its prompt is aborted',
    marbles((m) => {
      const sent$ = m.cold('       -----(i|)', { i: 'id' })
      const script = '     -c-----p-a----'
      const expected = '   d(cA)--p-(AA) ' // the second lists the payment as interrupted
      const { run, session } = connected(m, { send: () => sent$ })
      m.expect(run(script)).toBeObservable(expected)
      m.expect(sent$).toHaveSubscriptions(['-------^-!'])
      m.flush()
      expect(session.state.error).toBeNull()
    }),
  )

  it(
    'reconnects when the page becomes visible and the wallet is unlocked',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const readings = [of(LOCKED), of(LOCKED), of(open(ANNA))]
      const script = '     -c--------hs-hs'
      const expected = '   d(cA)-l-------A'
      const refresh = () => readings.shift() ?? NEVER
      m.expect(connected(m, { hints$, refresh }).run(script)).toBeObservable(expected)
    }),
  )

  it(
    'keeps its state when a read fails',
    marbles((m) => {
      const hints$ = m.hot('------c-c----', HINTS)
      const readings = [m.cold('     -#'), m.cold('-(b|)', { b: open(BERT) })]
      const expected = '   d(cA)----B   '
      const refresh = () => readings.shift() ?? NEVER
      m.expect(connected(m, { hints$, refresh }).run('-c')).toBeObservable(expected)
    }),
  )

  it(
    'is unsubscribed from by disconnect()',
    marbles((m) => {
      const hints$ = m.hot('------c------c', HINTS)
      const refresh = () => m.cold('  ---(b|)   ', { b: open(BERT) })
      const script = '     -c-----d-----'
      const expected = '   d(cA)--d      '
      m.expect(connected(m, { hints$, refresh }).run(script)).toBeObservable(expected)
      m.expect(hints$).toHaveSubscriptions(['-^-----!'])
    }),
  )

  it(
    'has one prompt at a time: a second is refused, the first stays pending',
    marbles((m) => {
      const sent$ = m.cold('        -----(i|)', { i: 'id' })
      const signed$ = m.cold('      -(s|)')
      const script = '     -c-----p-m----'
      const expected = '   d(cA)--p-p--A ' // the second one is the refused operation
      const wallet = connected(m, { send: () => sent$, signMessage: () => signed$ })
      m.expect(wallet.run(script)).toBeObservable(expected)
      m.expect(signed$).toHaveSubscriptions([])
    }),
  )

  it(
    'ignores the result of a prompt aborted by disconnect()',
    marbles((m) => {
      const sent$ = m.cold('       -----(i|)', { i: 'id' })
      const script = '     -c-----p-d----'
      const expected = '   d(cA)--p-(dd) ' // the second lists the payment as interrupted
      m.expect(connected(m, { send: () => sent$ }).run(script)).toBeObservable(expected)
      m.expect(sent$).toHaveSubscriptions(['-------^-!'])
    }),
  )

  it(
    'updates its account while a prompt is pending',
    marbles((m) => {
      const hints$ = m.hot('---------c----', HINTS)
      const readings = [of(open(ANNA))] // before the payment
      const refresh = () => readings.shift() ?? of(open(BERT))
      const send = () => m.cold('   -----(i|)', { i: 'id' })
      const script = '     -c-----p------'
      const expected = '   d(cA)--p-p--B '
      m.expect(connected(m, { hints$, refresh, send }).run(script)).toBeObservable(expected)
    }),
  )

  it(
    'is switched once it provides an account of the network, within 2 s',
    marbles((m) => {
      const readings = [of(open(ANNA)), of(open(ANNA)), of(open(TEST))]
      const script = '   -c-----t'
      const expected = ' d(cA)--p 399ms (pT)'
      const refresh = () => readings.shift() ?? NEVER
      m.expect(connected(m, { refresh, switchNetwork: () => of(undefined) }).run(script)).toBeObservable(expected)
    }),
  )

  it.each([
    ['signMessage', 'm'],
    ['switchNetwork', 't'],
  ])('reports %s as the operation when the read after it fails', (operation, letter) => {
    const cause = new Error('No response from the wallet')
    const details = { code: 'timeout', hint: 'Reload the page' } as const
    marbles((m) => {
      const refresh = () => throwError(() => new ChainWalletError('connect', cause, details))
      const script = { refresh, signMessage: () => of('00'), switchNetwork: () => of(undefined) }
      const { session, run } = connected(m, script)
      m.expect(run(`-c----${letter}`)).toBeObservable('d(cA)-(pA)')
      m.flush()
      expect(session.state.error).toMatchObject({ operation, cause, ...details })
    })()
  })

  it(
    'with balances is read every 30 s while the page is visible, and when it becomes visible',
    marbles((m) => {
      const balance$ = m.cold('(b|)', { b: { confirmed: 1n, unconfirmed: 0n, total: 1n } })
      const { run } = connected(m, { balance: () => balance$ }, 89_000)
      m.expect(run('-c 39998ms h 9999ms s 30s x')).toBeObservable('d(cA) 79996ms d')
      m.expect(balance$).toHaveSubscriptions(['-(^!)', '30001ms (^!)', '50s (^!)', '80s (^!)'])
    }),
  )
})

describe('the wallet of the last visit', () => {
  const restored = (m: Marbles, script: Partial<Wallet>) => {
    const connect = vi.fn(() => NEVER)
    const wallet = scriptedWallet({ connect: connect, ...script })
    return { ...createHarness(m.scheduler, present(wallet), { remembered: 'walletA' }), connect }
  }

  it(
    'is restored without a prompt',
    marbles((m) => {
      const { letters$, connect } = restored(m, { refresh: () => m.cold('---(a|)', { a: open(ANNA) }) })
      m.expect(letters$).toBeObservable('d--A')
      m.flush()
      expect(connect).not.toHaveBeenCalled()
    }),
  )

  it(
    'is read four times in 2 s while it provides no account',
    marbles((m) => {
      const refresh$ = m.cold('(l|)', { l: LOCKED })
      const { letters$, session } = restored(m, { refresh: () => refresh$ })
      const actions = { x: () => session.dispose() }
      m.expect(during(letters$, m.hot('3s x'), actions)).toBeObservable('d 1999ms l 999ms d')
      m.expect(refresh$).toHaveSubscriptions(['(^!)', '500ms (^!)', '1s (^!)', '2s (^!)'])
    }),
  )

  it(
    'is read again on a hint before the first reading is complete',
    marbles((m) => {
      const hints$ = m.hot('---c', HINTS)
      const readings = [of(open(ANNA)), of(open(BERT))]
      const balance = () => m.cold('-----(n|)', { n: null })
      const { session, letters$ } = restored(m, { hints$, refresh: () => readings.shift() ?? NEVER, balance })
      const script = '  -----------x'
      const expected = 'd-------B--d'
      m.expect(during(letters$, m.hot(script), { x: () => session.dispose() })).toBeObservable(expected)
    }),
  )

  it(
    'causes no error when it provides no account',
    marbles((m) => {
      const { session, letters$ } = restored(m, { refresh: () => of(DISCONNECTED) })
      m.expect(letters$).toBeObservable('d 1999ms w')
      m.flush()
      expect(session.state.error).toBeNull()
    }),
  )

  it(
    'is not restored after a connect()',
    marbles((m) => {
      const { session, letters$ } = restored(m, {
        refresh: () => m.cold('-----(b|)', { b: open(BERT) }),
        connect: () => m.cold('--(a|)', { a: ANNA }),
      })
      const script = '  --c'
      const expected = 'd-c-A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'delays a payment until it is restored',
    marbles((m) => {
      const script = '  -p'
      const expected = 'd--(Ap)---A' // reads the account again, then pays
      const sent$ = m.cold('----(i|)', { i: 'id' })
      const { session, letters$ } = restored(m, {
        refresh: () => m.cold('---(a|)', { a: open(ANNA) }),
        send: () => sent$,
      })
      const actions = { p: () => session.sendKaspa(BERT.address, 1n) }
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )

  it(
    'is forgotten by disconnect()',
    marbles((m) => {
      const { session, letters$, platform } = restored(m, { refresh: () => m.cold('-----(b|)', { b: open(BERT) }) })
      m.expect(during(letters$, m.hot('--d'), { d: () => session.disconnect() })).toBeObservable('d')
      m.flush()
      expect(platform.storage.get('vue-chain:wallet')).toBeNull()
    }),
  )
})
