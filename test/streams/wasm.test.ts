import { EMPTY, NEVER, Observable, Subject, map, of, throwError } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { ChainNotReadyError } from '../../src/errors/not-ready-error.js'
import type { SdkPort } from '../../src/sdk/port.js'
import { createWasm, type Wasm } from '../../src/streams/wasm.js'
import { marbles } from '../marbles.js'
import { scriptedSdk } from './scripted-sdk.js'

const sdk = scriptedSdk()

/** Actions by letter: `i` init, `r` reset, `x` dispose. Their promises are tested separately. */
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

/** The status in letters, while commands run. */
const status$ = (load$: Observable<SdkPort>, command$: Observable<string>): Observable<string> =>
  new Observable((subscriber) => {
    const wasm = createWasm(() => load$)
    subscriber.add(letters$(wasm).subscribe(subscriber))
    subscriber.add(command$.subscribe((letter) => COMMANDS[letter]?.(wasm)))
  })

describe('the status of the WASM module', () => {
  it(
    'goes from idle over loading to ready, only on request',
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
    'shares one load among all callers',
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
    'fails when a load fails, and loads again on request',
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
    'aborts a load on reset, and ignores its result',
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
    'fails when a ready module panics, and loads a new one on request',
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
    'aborts the load and completes when disposed',
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
    'replays the current state, and emits each change once',
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
    'loads nothing for a subscriber',
    marbles((m) => {
      const load$ = m.cold<SdkPort>('-')
      const wasm = createWasm(() => load$)
      m.expect(letters$(wasm), '^--!').toBeObservable('i---')
      m.expect(load$).toHaveSubscriptions([])
    }),
  )
})

describe('init()', () => {
  it('emits states in order, though the module loads synchronously', () => {
    const wasm = createWasm(() => of(sdk))
    const statuses: string[] = []
    wasm.status$.subscribe(({ status }) => statuses.push(status))
    wasm.status$.subscribe(({ status }) => statuses.push(status))
    void wasm.init()
    expect(statuses).toEqual(['idle', 'idle', 'loading', 'loading', 'ready', 'ready'])
  })

  it('resolves all callers once the module is ready', async () => {
    const load$ = new Subject<SdkPort>()
    const wasm = createWasm(() => load$)
    const both = Promise.all([wasm.init(), wasm.init()])
    load$.next(sdk)
    await expect(both).resolves.toEqual([undefined, undefined])
    await expect(wasm.init()).resolves.toBeUndefined()
    expect(wasm.sdk()).toBe(sdk)
  })

  it('rejects with the cause of a failed load and a hint', async () => {
    const cause = new TypeError('Failed to fetch')
    const error: unknown = await createWasm(() => throwError(() => cause))
      .init()
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      message: 'The Kaspa WASM module could not be loaded: Failed to fetch',
      code: 'wasm-load-failed',
      cause,
      hint: "Serve kaspa_bg.wasm, or set the option wasmUrl to where it lies; allow 'wasm-unsafe-eval' where there is a Content-Security-Policy; and call init() again.",
    })
  })

  it('rejects with a ChainError of the loader unchanged', async () => {
    const unsupported = new ChainError('The given SDK lacks signMessage', { code: 'sdk-unsupported' })
    await expect(createWasm(() => throwError(() => unsupported)).init()).rejects.toBe(unsupported)
  })

  it('can be called while the error state is being emitted', async () => {
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

  it('rejects on reset, without affecting the next call', async () => {
    const load = vi.fn<() => Observable<SdkPort>>().mockReturnValueOnce(NEVER).mockReturnValueOnce(of(sdk))
    const wasm = createWasm(load)
    const first = wasm.init()
    wasm.reset()
    const second = wasm.init()
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    await expect(second).resolves.toBeUndefined()
  })

  it('rejects when the engine is disposed while loading, and afterwards', async () => {
    const wasm = createWasm(() => NEVER)
    const waiting = wasm.init()
    wasm.dispose()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    await expect(wasm.init()).rejects.toMatchObject({ code: 'disposed', message: 'The engine has been disposed of' })
  })
})

describe('sdk()', () => {
  it('throws ChainNotReadyError in every state but ready, with the operation', () => {
    const load$ = new Subject<SdkPort>()
    const wasm = createWasm(() => load$)
    const getSdk = (): SdkPort => wasm.sdk('signMessage')
    expect(getSdk).toThrow(ChainNotReadyError)
    void wasm.init()
    expect(getSdk).toThrow('"signMessage" was called before the Kaspa WASM module was ready')
    load$.next(sdk)
    expect(getSdk()).toBe(sdk)
    wasm.reset()
    expect(getSdk).toThrow(ChainNotReadyError)
  })

  it('throws ChainNotReadyError after a panic, and disposed after disposal', async () => {
    const broken$ = new Subject<ChainError>()
    const wasm = createWasm(() => of(scriptedSdk({ broken$ })))
    await wasm.init()
    broken$.next(new ChainError('unreachable'))
    expect(() => wasm.sdk()).toThrow(ChainNotReadyError)
    await wasm.init()
    wasm.dispose()
    wasm.dispose()
    expect(() => wasm.sdk()).toThrow(expect.objectContaining({ code: 'disposed' }))
  })

  it('returns the SDK without subscribers of panics', async () => {
    const wasm = createWasm(() => of(scriptedSdk({ broken$: EMPTY })))
    await wasm.init()
    expect(wasm.sdk().broken$).toBe(EMPTY)
  })
})
