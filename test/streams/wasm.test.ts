import { EMPTY, NEVER, Observable, Subject, map, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { ChainNotReadyError } from '../../src/errors/not-ready-error.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { createWasm, type Wasm } from '../../src/streams/wasm.js'
import { marbles } from '../marbles.js'
import { scriptedSdk } from './scripted-sdk.js'

const sdk = scriptedSdk()

/** What a test's letters do: `i` asks for the module, `r` resets it, `x` is the end. The promises have their own tests. */
const COMMANDS: Record<string, (wasm: Wasm) => void> = {
  i: (wasm) => void wasm.init().catch((error: unknown) => expect(error).toBeInstanceOf(ChainError)),
  r: (wasm) => {
    wasm.reset()
  },
  x: (wasm) => {
    wasm.dispose()
  },
}

/** `i`dle, `l`oading, `r`eady, `e`rror. */
const letters$ = (wasm: Wasm): Observable<string> => wasm.status$.pipe(map(({ status }) => status.charAt(0)))

/** The status in letters, while commands are carried out. */
const status$ = (load$: Observable<SdkPort>, command$: Observable<string>): Observable<string> =>
  new Observable((subscriber) => {
    const wasm = createWasm(() => load$)
    subscriber.add(letters$(wasm).subscribe(subscriber))
    subscriber.add(command$.subscribe((letter) => COMMANDS[letter]?.(wasm)))
  })

describe('the status of the WASM module', () => {
  it(
    'goes from idle over loading to ready, when asked for and not before',
    marbles((m) => {
      const command$ = m.hot('      ---i-----')
      const load$ = m.cold('           ---(s|)', { s: sdk })
      const load = '                ---^--!'
      const expected = '            i--l--r--'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(load$).toHaveSubscriptions(load)
    }),
  )

  it(
    'shares one load among all who ask',
    marbles((m) => {
      const command$ = m.hot('      -ii---ii--')
      const load$ = m.cold('         ---(s|)', { s: sdk })
      const load = '                -^--!'
      const expected = '            il--r-----'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(load$).toHaveSubscriptions(load)
    }),
  )

  it(
    'rests in error when a load fails, and tries again when asked again',
    marbles((m) => {
      const command$ = m.hot('      -i---i---')
      const load$ = m.cold('         --#', undefined, new TypeError('Failed to fetch'))
      const first = '               -^-!'
      const second = '              -----^-!'
      const expected = '            il-e-l-e-'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(load$).toHaveSubscriptions([first, second])
    }),
  )

  it(
    'gives up a load that is reset, and hears nothing more of it',
    marbles((m) => {
      const command$ = m.hot('      -i-r--i-----')
      const load$ = m.cold('         ----(s|)', { s: sdk })
      const first = '               -^-!'
      const second = '              ------^---!'
      const expected = '            il-i--l---r-'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(load$).toHaveSubscriptions([first, second])
    }),
  )

  it(
    'turns to error when a ready module panics, and loads a new one when asked',
    marbles((m) => {
      const panic = new ChainError('unreachable', { code: 'wasm-panicked' })
      const command$ = m.hot('      -i------i------')
      const broken$ = m.cold('         ----p', { p: panic })
      const load$ = m.cold('         --(s|)', { s: scriptedSdk({ broken$ }) })
      const older = '               ---^---!'
      const newer = '               ----------^---!'
      const expected = '            il-r---el-r---e'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(broken$).toHaveSubscriptions([older, newer])
    }),
  )

  it(
    'completes when disposed of in the middle of a load, which is given up',
    marbles((m) => {
      const command$ = m.hot('      -i-x-i-x-')
      const load$ = m.cold('         ----(s|)', { s: sdk })
      const load = '                -^-!'
      const expected = '            il-(i|)'
      m.expect(status$(load$, command$)).toBeObservable(expected)
      m.expect(load$).toHaveSubscriptions(load)
    }),
  )

  it(
    'is told to a late subscriber at once, and each change once',
    marbles((m) => {
      const command$ = m.hot('      -i-ir-r--')
      const load$ = m.cold('         --(s|)', { s: sdk })
      const late = '                --^------'
      const expected = '            --lri----'
      const wasm = createWasm(() => load$)
      command$.subscribe((letter) => COMMANDS[letter]?.(wasm))
      m.expect(letters$(wasm), late).toBeObservable(expected)
    }),
  )

  it(
    'loads nothing for being watched',
    marbles((m) => {
      const load$ = m.cold<SdkPort>('-')
      const wasm = createWasm(() => load$)
      m.expect(letters$(wasm), '^--!').toBeObservable('i---')
      m.expect(load$).toHaveSubscriptions([])
    }),
  )
})

describe('init()', () => {
  it('tells everybody in order, though the module is there at once', () => {
    const wasm = createWasm(() => of(sdk))
    const heard: string[] = []
    wasm.status$.subscribe(({ status }) => heard.push(status))
    wasm.status$.subscribe(({ status }) => heard.push(status))
    void wasm.init()
    expect(heard).toEqual(['idle', 'idle', 'loading', 'loading', 'ready', 'ready'])
  })

  it('resolves once the module is ready, for everybody who has asked', async () => {
    const load$ = new Subject<SdkPort>()
    const wasm = createWasm(() => load$)
    const both = Promise.all([wasm.init(), wasm.init()])
    load$.next(sdk)
    await expect(both).resolves.toEqual([undefined, undefined])
    await expect(wasm.init()).resolves.toBeUndefined()
    expect(wasm.sdk()).toBe(sdk)
  })

  it('rejects with what the load failed with, and what to do about it', async () => {
    const cause = new TypeError('Failed to fetch')
    const error: unknown = await createWasm(() => throwError(() => cause))
      .init()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      message: 'The Kaspa WASM module could not be loaded',
      code: 'wasm-load-failed',
      cause,
      hint: "Serve kaspa_bg.wasm, allow 'wasm-unsafe-eval' where there is a Content-Security-Policy, and call init() again.",
    })
  })

  it('passes an error of ours on as it is', async () => {
    const unsupported = new ChainError('The given SDK lacks signMessage', { code: 'sdk-unsupported' })
    await expect(createWasm(() => throwError(() => unsupported)).init()).rejects.toBe(unsupported)
  })

  it('may be asked for by a listener who hears of the error', async () => {
    const failing$ = new Subject<SdkPort>()
    const load = vi.fn<() => Observable<SdkPort>>().mockReturnValueOnce(failing$).mockReturnValue(of(sdk))
    const wasm = createWasm(load)
    const again = new Promise<void>((resolve, reject) => {
      wasm.status$.subscribe(({ status }) => {
        if (status === 'error') wasm.init().then(resolve, reject)
      })
    })
    const first = wasm.init()
    failing$.error(new TypeError('Failed to fetch'))
    await expect(first).rejects.toMatchObject({ code: 'wasm-load-failed' })
    await expect(again).resolves.toBeUndefined()
  })

  it('rejects when a reset comes first, and leaves the next one alone', async () => {
    const load = vi.fn<() => Observable<SdkPort>>().mockReturnValueOnce(NEVER).mockReturnValueOnce(of(sdk))
    const wasm = createWasm(load)
    const first = wasm.init()
    wasm.reset()
    const second = wasm.init()
    await expect(first).rejects.toMatchObject({ code: 'interrupted' })
    await expect(second).resolves.toBeUndefined()
  })

  it('rejects when the engine is disposed of while loading, and ever after', async () => {
    const wasm = createWasm(() => NEVER)
    const waiting = wasm.init()
    wasm.dispose()
    await expect(waiting).rejects.toMatchObject({ code: 'interrupted' })
    await expect(wasm.init()).rejects.toMatchObject({ code: 'disposed', message: 'The engine has been disposed of' })
  })
})

describe('sdk()', () => {
  it('throws ChainNotReadyError in every state but ready, and names who asks', () => {
    const load$ = new Subject<SdkPort>()
    const wasm = createWasm(() => load$)
    const ask = (): SdkPort => wasm.sdk('signMessage')
    expect(ask).toThrow(ChainNotReadyError)
    void wasm.init()
    expect(ask).toThrow('"signMessage" was called before the Kaspa WASM module was ready')
    load$.next(sdk)
    expect(ask()).toBe(sdk)
    wasm.reset()
    expect(ask).toThrow(ChainNotReadyError)
  })

  it('throws ChainNotReadyError after a panic and after the end', async () => {
    const broken$ = new Subject<ChainError>()
    const wasm = createWasm(() => of(scriptedSdk({ broken$ })))
    await wasm.init()
    broken$.next(new ChainError('unreachable'))
    expect(() => wasm.sdk()).toThrow(ChainNotReadyError)
    await wasm.init()
    wasm.dispose()
    wasm.dispose()
    expect(() => wasm.sdk()).toThrow(ChainNotReadyError)
  })

  it('still serves while nobody watches for panics', async () => {
    const wasm = createWasm(() => of(scriptedSdk({ broken$: EMPTY })))
    await wasm.init()
    expect(wasm.sdk().broken$).toBe(EMPTY)
  })
})
