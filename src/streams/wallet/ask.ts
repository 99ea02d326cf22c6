import { catchError, defer, filter, map, queueScheduler, race, scheduled, switchMap, take, tap } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { asFailureOf, asWalletError, type ChainWalletError } from '../../errors/wallet-error.js'
import type { Machine } from '../machine.js'
import type { Prompt, Standing, WalletEvent, WalletPhase } from './phases.js'
import { busy, givenUp, locked, notConnected } from './prompt-errors.js'
import type { WalletOperation } from './state.js'

export type WalletMachine = Machine<WalletPhase, WalletEvent>

export type Connected = Extract<Standing, { status: 'connected' }>

/**
 * Puts a question to the user, the only one at a time, and hands on the wallet's answer as `toEvent` reads it. Ends at
 * once when it is given up; an answer after that is nobody's. Errors with `ChainWalletError`, which is the state's error.
 */
export const ask$ = <T>(
  machine: WalletMachine,
  prompt: Prompt,
  question: () => ObservableInput<T>,
  toEvent: (answer: T) => WalletEvent = () => ({ type: 'answered', prompt }),
): Observable<T> =>
  defer(() => {
    machine.dispatch({ type: 'asked', prompt })
    return scheduled([undefined], queueScheduler) // in turn: once the event was taken, also where we are in a reaction to another
  }).pipe(
    switchMap(() => {
      const open = machine.state.prompt
      if (open !== prompt) return refuse(machine, busy(prompt.operation, open?.operation))
      return answer$(machine, prompt, question, toEvent)
    }),
  )

/** The winner's rival is gone before its answer is heard: what the answer changes must not look like giving up. */
const answer$ = <T>(
  machine: WalletMachine,
  prompt: Prompt,
  question: () => ObservableInput<T>,
  toEvent: (answer: T) => WalletEvent,
): Observable<T> =>
  race(whenGivenUp$(machine, prompt), defer(question)).pipe(
    take(1),
    tap((answer) => machine.dispatch(toEvent(answer))),
    catchError((cause: unknown) => fail(machine, prompt, asFailureOf(prompt.operation, cause))),
  )

const whenGivenUp$ = ({ state$ }: WalletMachine, prompt: Prompt): Observable<never> =>
  state$.pipe(
    filter((phase) => phase.prompt !== prompt),
    map(() => {
      throw givenUp(prompt)
    }),
  )

function fail(machine: WalletMachine, prompt: Prompt, error: ChainWalletError): never {
  machine.dispatch({ type: 'failed', prompt, error })
  throw error
}

/**
 * The same for an operation of a connected account; `prepare` refuses what cannot be meant before anyone is asked. While
 * the wallet of the last visit is being taken up, that is waited for.
 */
export const askConnected$ = <T>(
  machine: WalletMachine,
  operation: WalletOperation,
  prepare: (connected: Connected) => () => ObservableInput<T>,
): Observable<T> =>
  machine.state$.pipe(
    filter(({ standing }) => standing.status !== 'restoring'),
    take(1),
    switchMap(({ standing }) => {
      if (standing.status === 'locked') return refuse(machine, locked(operation))
      if (standing.status !== 'connected') return refuse(machine, notConnected(operation))
      const question = prepared(machine, operation, () => prepare(standing))
      return ask$(machine, { operation, wallet: standing.session.wallet.info.id }, question)
    }),
  )

/** What `prepare` makes; what it refuses is the state's error. */
export function prepared<T>(machine: WalletMachine, operation: WalletOperation, prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    return refuse(machine, asWalletError(operation, error))
  }
}

function refuse(machine: WalletMachine, error: ChainWalletError): never {
  machine.dispatch({ type: 'refused', error })
  throw error
}
