import { onceLoaded, loadCode } from './load-code.js'
import { defer, of, type Observable } from 'rxjs'

type Method<T> = (...args: unknown[]) => Promise<T>

/** What a method resolves to. */
type Result<M> = M extends (...args: never[]) => infer Returned ? Awaited<Returned> : never

/** Runs a call of a method with its arguments; `run` loads the methods first where they are not loaded. */
type Around<Methods, Name extends keyof Methods> = (
  name: Name,
  run: () => Promise<Result<Methods[Name]>>,
  args: readonly unknown[],
) => Promise<Result<Methods[Name]> | undefined>

/**
 * Methods whose code is loaded with the first call, by one load for all; a failed load rejects the call, and the next
 * one loads again. Once loaded, a method runs within the call. Calls keep their order. `around` adds what belongs to
 * each call: a check, a record, the outcome of its error.
 */
export function lazyMethods<Methods extends object, Name extends keyof Methods & string>(
  names: readonly Name[],
  load: () => Promise<Methods>,
  around: Around<Methods, Name> = (_, run) => run(),
): Pick<Methods, Name> {
  const once = onceLoaded(load)
  let loaded: Methods | undefined
  let waiting = 0
  const runOnceLoaded = async (name: Name, args: unknown[]): Promise<Result<Methods[Name]>> => {
    waiting++
    try {
      loaded = await once()
    } finally {
      waiting--
    }
    return (loaded[name] as Method<Result<Methods[Name]>>)(...args)
  }
  return methodsOf(names, (name, args) =>
    around(
      name,
      () =>
        loaded === undefined || waiting > 0
          ? runOnceLoaded(name, args)
          : (loaded[name] as Method<Result<Methods[Name]>>)(...args),
      args,
    ),
  )
}

/** Methods whose object is found at each call, within the call; throws as `find` does. */
export const lateMethods = <Methods extends object, Name extends keyof Methods & string>(
  names: readonly Name[],
  find: (name: Name) => Methods,
): Pick<Methods, Name> =>
  methodsOf(names, (name, args) => (find(name)[name] as (...args: unknown[]) => unknown)(...args))

/** An object with these methods, all of which make the same call. */
const methodsOf = <Methods extends object, Name extends keyof Methods & string>(
  names: readonly Name[],
  call: (name: Name, args: unknown[]) => unknown,
): Pick<Methods, Name> =>
  Object.fromEntries(names.map((name) => [name, (...args: unknown[]) => call(name, args)])) as Pick<Methods, Name>

/** A module that is loaded on demand, once. Rejects and errors with `ChainError` (`code-not-loaded`). */
export interface LazyModule<M> {
  load(): Promise<M>
  isLoaded(): boolean
  /**
   * The module: once loaded, within the call of `subscribe`. A failed load errors, and the next subscription loads
   * again.
   */
  readonly module$: Observable<M>
}

export function lazyModule<M>(load: () => Promise<M>): LazyModule<M> {
  let loaded: M | undefined
  const once = onceLoaded(async () => (loaded = await loadCode(load)))
  return {
    load: once,
    isLoaded: () => loaded !== undefined,
    module$: defer(() => (loaded === undefined ? once() : of(loaded))),
  }
}

type Iteration<T> = AsyncIterableIterator<T, undefined, undefined>

const DONE = { done: true, value: undefined } as const

/**
 * An iteration whose code is loaded with the first `next()`; `return()` before that loads nothing. Rejects where
 * loading fails; the next `next()` then loads again.
 */
export function deferIteration<T>(load: () => Promise<Iteration<T>>): Iteration<T> {
  let opened: Promise<Iteration<T>> | undefined
  let isReturned = false
  const open = async (): Promise<Iteration<T>> => {
    try {
      return await (opened ??= load())
    } catch (error) {
      opened = undefined
      throw error
    }
  }
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: async () => (isReturned ? DONE : (await open()).next()),
    return: async () => {
      isReturned = true
      return (await opened?.catch(() => undefined))?.return?.() ?? DONE // a failed load has rejected `next()`
    },
  }
}
