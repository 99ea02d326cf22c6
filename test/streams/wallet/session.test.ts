import { NEVER, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { ChainWalletError } from '../../../src/errors/wallet-error.js'
import type { Wallet, WalletHint } from '../../../src/wallets/port.js'
import { marbles, type Marbles } from '../../marbles.js'
import { ANNA, BERT, GONE, LOCKED, TEST, createScene, during, open, present, scriptedWallet } from './scene.js'

const HINTS = { c: 'changed', w: 'withdrawn' } as const satisfies Record<string, WalletHint>

describe('a wallet that is asked for', () => {
  it(
    'is connecting until its user has answered',
    marbles((m) => {
      const wallet = scriptedWallet({ connect: () => m.cold('---(a|)', { a: ANNA }) })
      const { session, letters$ } = createScene(m.scheduler, present(wallet))
      const script = '  -c'
      const expected = 'dc--A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'is asked once, however often it is asked for meanwhile',
    marbles((m) => {
      const connect$ = m.cold('---(a|)', { a: ANNA })
      const { session, letters$ } = createScene(m.scheduler, present(scriptedWallet({ connect: () => connect$ })))
      const script = '  -cc'
      const expected = 'dc--A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
      m.expect(connect$).toHaveSubscriptions(['-^--!'])
    }),
  )

  it(
    'leaves the user disconnected who says no, with the reason',
    marbles((m) => {
      const wallet = scriptedWallet({ connect: () => m.cold('---#') })
      const { session, letters$ } = createScene(m.scheduler, present(wallet))
      const script = '  -c'
      const expected = 'dc--e'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'and shows no account any more by the time that it has been looked at is not connected',
    marbles((m) => {
      const wallet = scriptedWallet({
        balance: () => NEVER,
        hints$: m.cold('-----w', HINTS),
        look: () => of(LOCKED),
      })
      const { session, letters$ } = createScene(m.scheduler, present(wallet))
      const deeds = { c: () => session.connect('walletA'), d: () => session.disconnect() }
      const script = '  -c------d'
      const expected = 'dc----e-d'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )

  it(
    'that answers after disconnect() is not heard',
    marbles((m) => {
      const connect$ = m.cold('-----(a|)', { a: ANNA })
      const { session, letters$ } = createScene(m.scheduler, present(scriptedWallet({ connect: () => connect$ })))
      const deeds = { c: () => session.connect('walletA'), d: () => session.disconnect() }
      const script = '  -c-d'
      const expected = 'dc-d'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
      m.expect(connect$).toHaveSubscriptions(['-^-!'])
    }),
  )

  it(
    'is waited for until 5 s after the search began',
    marbles((m) => {
      const { session, letters$ } = createScene(m.scheduler, { wallets$: NEVER })
      const script = '  -c'
      const expected = 'dc 4998ms e'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'is read anew where it hints at a change before all of it is read: the first account is never shown',
    marbles((m) => {
      const hints$ = m.hot('---c', HINTS)
      const balance = () => m.cold('-----(n|)', { n: null })
      const wallet = scriptedWallet({ hints$, connect: () => of(ANNA), look: () => of(open(BERT)), balance })
      const { session, letters$ } = createScene(m.scheduler, present(wallet))
      const deeds = { c: () => session.connect('walletA'), x: () => session.dispose() }
      const script = '       -c---------x'
      const expected = '     dc------B--d'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )

  it(
    'leaves the wallet in use alone until it has answered',
    marbles((m) => {
      const hints$ = m.hot('--------------')
      const first = scriptedWallet({ hints$ })
      const info = { ...first.info, id: 'walletB' }
      const second = scriptedWallet({ info, connect: () => m.cold('---(b|)', { b: BERT }) })
      const { session, letters$ } = createScene(m.scheduler, present(first, second))
      const deeds = { a: () => session.connect('walletA'), b: () => session.connect('walletB') }
      const script = '     -a----b-------'
      const expected = '   d(cA)-p--B----'
      const listening = '  -^-------!    '
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
      m.expect(hints$).toHaveSubscriptions([listening])
    }),
  )
})

describe('a wallet in use', () => {
  /** A session that is connected to Anna's account at frame 1. */
  const connected = (m: Marbles, script: Partial<Wallet>) => {
    const { session, letters$, platform } = createScene(m.scheduler, present(scriptedWallet(script)))
    const deeds = {
      c: () => session.connect('walletA'),
      d: () => session.disconnect(),
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
    const acts = (deed: string) => during(letters$, m.hot(deed), deeds)
    return { session, letters$, platform, acts }
  }

  it(
    'is looked at when it hints at a change',
    marbles((m) => {
      const hints$ = m.hot('------c----', HINTS)
      const look = () => m.cold('  --(b|) ', { b: open(BERT) })
      const expected = '   d(cA)---B  '
      m.expect(connected(m, { hints$, look }).acts('-c')).toBeObservable(expected)
    }),
  )

  it(
    'is looked at anew when it hints again, and what the earlier look would have shown is dropped',
    marbles((m) => {
      const hints$ = m.hot('------c-c-----', HINTS)
      const stale$ = m.cold('     ---(b|)   ', { b: open(BERT) })
      const fresh$ = m.cold('       ---(t|) ', { t: open(TEST) })
      const expected = '   d(cA)------T  '
      const looks = [stale$, fresh$]
      const look = () => looks.shift() ?? NEVER
      m.expect(connected(m, { hints$, look }).acts('-c')).toBeObservable(expected)
      m.expect(stale$).toHaveSubscriptions(['------^-!     '])
    }),
  )

  it(
    'shows no account from the moment it is withdrawn, and whether it is only locked once it has said so',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const look = () => m.cold('   --(l|)  ', { l: LOCKED })
      const expected = '   d(cA)-g-l   '
      m.expect(connected(m, { hints$, look }).acts('-c')).toBeObservable(expected)
    }),
  )

  it(
    'comes back by itself when the page is looked at again and it shows its account',
    marbles((m) => {
      const hints$ = m.hot('------w------', HINTS)
      const looks = [of(LOCKED), of(LOCKED), of(open(ANNA))]
      const script = '     -c--------hs-hs'
      const expected = '   d(cA)-(gl)----A'
      const look = () => looks.shift() ?? NEVER
      m.expect(connected(m, { hints$, look }).acts(script)).toBeObservable(expected)
    }),
  )

  it(
    'stays as it was where a look fails',
    marbles((m) => {
      const hints$ = m.hot('------c-c----', HINTS)
      const looks = [m.cold('     -#'), m.cold('-(b|)', { b: open(BERT) })]
      const expected = '   d(cA)----B   '
      const look = () => looks.shift() ?? NEVER
      m.expect(connected(m, { hints$, look }).acts('-c')).toBeObservable(expected)
    }),
  )

  it(
    'is not heard any more after disconnect()',
    marbles((m) => {
      const hints$ = m.hot('------c------c', HINTS)
      const look = () => m.cold('  ---(b|)   ', { b: open(BERT) })
      const script = '     -c-----d-----'
      const expected = '   d(cA)--d      '
      m.expect(connected(m, { hints$, look }).acts(script)).toBeObservable(expected)
      m.expect(hints$).toHaveSubscriptions(['-^-----!'])
    }),
  )

  it(
    'is asked one question at a time: a second is refused, and the first goes on',
    marbles((m) => {
      const sent$ = m.cold('        -----(i|)', { i: 'id' })
      const signed$ = m.cold('      -(s|)')
      const script = '     -c-----p-m----'
      const expected = '   d(cA)--p-p--A ' // the second tells why it was refused
      const asked = connected(m, { send: () => sent$, signMessage: () => signed$ })
      m.expect(asked.acts(script)).toBeObservable(expected)
      m.expect(signed$).toHaveSubscriptions([])
    }),
  )

  it(
    'is let go of with its question still open: what the user answers then is nobody’s',
    marbles((m) => {
      const sent$ = m.cold('       -----(i|)', { i: 'id' })
      const script = '     -c-----p-d----'
      const expected = '   d(cA)--p-d    '
      m.expect(connected(m, { send: () => sent$ }).acts(script)).toBeObservable(expected)
      m.expect(sent$).toHaveSubscriptions(['-------^-!'])
    }),
  )

  it(
    'follows its account while a question is open',
    marbles((m) => {
      const hints$ = m.hot('---------c----', HINTS)
      const look = () => of(open(BERT))
      const send = () => m.cold('   -----(i|)', { i: 'id' })
      const script = '     -c-----p------'
      const expected = '   d(cA)--p-p--B '
      m.expect(connected(m, { hints$, look, send }).acts(script)).toBeObservable(expected)
    }),
  )

  it(
    'is switched once it shows an account of the network, however long that takes within 2 s',
    marbles((m) => {
      const looks = [of(open(ANNA)), of(open(ANNA)), of(open(TEST))]
      const script = '   -c-----t'
      const expected = ' d(cA)--p 399ms (pT)'
      const look = () => looks.shift() ?? NEVER
      m.expect(connected(m, { look, switchNetwork: () => of(undefined) }).acts(script)).toBeObservable(expected)
    }),
  )

  it.each([
    ['signMessage', 'm'],
    ['switchNetwork', 't'],
  ])('fails %s by that name where only the look after it fails', (operation, deed) => {
    const cause = new Error('The wallet said nothing')
    const details = { code: 'timeout', hint: 'Reload the page' } as const
    marbles((m) => {
      const look = () => throwError(() => new ChainWalletError('connect', cause, details))
      const answers = { look, signMessage: () => of('00'), switchNetwork: () => of(undefined) }
      const { session, acts } = connected(m, answers)
      m.expect(acts(`-c----${deed}`)).toBeObservable('d(cA)-(pA)')
      m.flush()
      expect(session.state.error).toMatchObject({ operation, cause, ...details })
    })()
  })

  it(
    'that tells balances is looked at every 30 s while the page is seen, and when it comes back into view',
    marbles((m) => {
      const look$ = m.cold('(a|)', { a: open(ANNA) })
      const { acts } = connected(m, { look: () => look$, balance: () => of(null) })
      m.expect(acts('-c 39998ms h 9999ms s 30s x')).toBeObservable('d(cA) 79996ms d')
      m.expect(look$).toHaveSubscriptions(['30001ms (^!)', '50s (^!)', '80s (^!)'])
    }),
  )
})

describe('the wallet of the last visit', () => {
  const restored = (m: Marbles, script: Partial<Wallet>) => {
    const asked = vi.fn(() => NEVER)
    const wallet = scriptedWallet({ connect: asked, ...script })
    return { ...createScene(m.scheduler, present(wallet), 'walletA'), asked }
  }

  it(
    'is taken up without a question',
    marbles((m) => {
      const { letters$, asked } = restored(m, { look: () => m.cold('---(a|)', { a: open(ANNA) }) })
      m.expect(letters$).toBeObservable('d--A')
      m.flush()
      expect(asked).not.toHaveBeenCalled()
    }),
  )

  it(
    'is looked at four times in 2 s where it shows no account, and then for what it is',
    marbles((m) => {
      const look$ = m.cold('(l|)', { l: LOCKED })
      const { letters$ } = restored(m, { look: () => look$ })
      m.expect(letters$).toBeObservable('d 1999ms l')
      m.expect(look$).toHaveSubscriptions(['(^!)', '500ms (^!)', '1s (^!)', '2s (^!)'])
    }),
  )

  it(
    'is read anew where it hints at a change before all of it is read: the first account is never shown',
    marbles((m) => {
      const hints$ = m.hot('---c', HINTS)
      const looks = [of(open(ANNA)), of(open(BERT))]
      const balance = () => m.cold('-----(n|)', { n: null })
      const { session, letters$ } = restored(m, { hints$, look: () => looks.shift() ?? NEVER, balance })
      const script = '  -----------x'
      const expected = 'd-------B--d'
      m.expect(during(letters$, m.hot(script), { x: () => session.dispose() })).toBeObservable(expected)
    }),
  )

  it(
    'is no failure where it is gone',
    marbles((m) => {
      const { session, letters$ } = restored(m, { look: () => of(GONE) })
      m.expect(letters$).toBeObservable('d 1999ms g')
      m.flush()
      expect(session.state.error).toBeNull()
    }),
  )

  it(
    'is left alone by whoever asks for a wallet meanwhile',
    marbles((m) => {
      const { session, letters$ } = restored(m, {
        look: () => m.cold('-----(b|)', { b: open(BERT) }),
        connect: () => m.cold('--(a|)', { a: ANNA }),
      })
      const script = '  --c'
      const expected = 'd-c-A'
      m.expect(during(letters$, m.hot(script), { c: () => session.connect('walletA') })).toBeObservable(expected)
    }),
  )

  it(
    'is waited for by a payment that is asked for meanwhile',
    marbles((m) => {
      const script = '  -p'
      const expected = 'd--(Ap)A'
      const sent$ = m.cold('----(i|)', { i: 'id' })
      const { session, letters$ } = restored(m, { look: () => m.cold('---(a|)', { a: open(ANNA) }), send: () => sent$ })
      const deeds = { p: () => session.sendKaspa(BERT.address, 1n) }
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )

  it(
    'is forgotten by disconnect()',
    marbles((m) => {
      const { session, letters$, platform } = restored(m, { look: () => m.cold('-----(b|)', { b: open(BERT) }) })
      m.expect(during(letters$, m.hot('--d'), { d: () => session.disconnect() })).toBeObservable('d')
      m.flush()
      expect(platform.storage.get('vue-chain:wallet')).toBeNull()
    }),
  )
})
