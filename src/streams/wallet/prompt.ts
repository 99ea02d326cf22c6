import { catchError, defer, filter, map, queueScheduler, race, scheduled, switchMap, take, tap } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import {
  ChainWalletError,
  asErrorOf,
  asWalletError,
  isPaying,
  unknownOutcome,
  withPaymentOutcome,
} from '../../errors/wallet-error.js'
import type { Machine } from '../machine.js'
import type { Prompt, WalletConnection, WalletEvent, WalletPhase } from './phases.js'
import { abortedPrompt, busy, contradictory, locked, notConnected } from './prompt-errors.js'
import type { WalletOperation } from './wallet-session.js'

export type WalletMachine = Machine<WalletPhase, WalletEvent>

export type Connected = Extract<WalletConnection, { status: 'connected' }>

/**
 * Sends an approval request to the wallet, one at a time; `toEvent` turns its result into an event. Errors at once when
 * aborted by `abort()` or `disconnect()`, or when the wallet stops responding; a later result is ignored. Errors with
 * `ChainWalletError`, which is also the state's error.
 */
export const prompt$ = <T>(
  machine: WalletMachine,
  prompt: Prompt,
  request: () => ObservableInput<T>,
  toEvent: (result: T) => WalletEvent = () => ({ type: 'succeeded', prompt }),
): Observable<T> =>
  defer(() => {
    machine.dispatch({ type: 'prompted', prompt })
    // waits until the event is reduced, also when called while another event is being dispatched
    return scheduled([undefined], queueScheduler)
  }).pipe(
    switchMap(() => {
      const open = machine.state.prompt
      if (open !== prompt) return refuse(machine, busy(prompt.operation, open?.operation))
      return result$(machine, prompt, request, toEvent)
    }),
  )

/** `race` unsubscribes from the abort before the result is dispatched, since the result itself ends the prompt. */
const result$ = <T>(
  machine: WalletMachine,
  prompt: Prompt,
  request: () => ObservableInput<T>,
  toEvent: (result: T) => WalletEvent,
): Observable<T> =>
  race(whenAborted$(machine, prompt), defer(request)).pipe(
    take(1),
    tap((result) => machine.dispatch(toEvent(result))),
    catchError((cause: unknown) => fail(machine, prompt, toPromptError(prompt, cause))),
  )

/** An error that no wallet module created proves nothing about a payment. */
const toPromptError = ({ operation }: Prompt, cause: unknown): ChainWalletError =>
  cause instanceof ChainWalletError || !isPaying(operation)
    ? asErrorOf(operation, cause)
    : unknownOutcome(operation, cause)

const whenAborted$ = ({ state$ }: WalletMachine, prompt: Prompt): Observable<never> =>
  state$.pipe(
    filter((phase) => phase.prompt !== prompt),
    map((phase) => {
      throw phase.error ?? abortedPrompt(prompt)
    }),
  )

function fail(machine: WalletMachine, prompt: Prompt, error: ChainWalletError): never {
  withPaymentOutcome(error)
  machine.dispatch({ type: 'failed', prompt, error })
  throw error
}

/**
 * As `prompt$`, for an operation of the connected account; `prepare` validates before the prompt. Waits while the last
 * visit's wallet is being restored.
 */
export const promptConnected$ = <T>(
  machine: WalletMachine,
  operation: WalletOperation,
  prepare: (connected: Connected) => () => ObservableInput<T>,
): Observable<T> =>
  machine.state$.pipe(
    filter(({ connection }) => connection.status !== 'restoring'),
    take(1),
    switchMap(({ connection }) => {
      if (connection.status === 'locked') return refuse(machine, locked(operation))
      if (connection.status === 'wrong-network') return refuse(machine, contradictory(operation))
      if (connection.status !== 'connected') return refuse(machine, notConnected(operation))
      const request = prepareOrRefuse(machine, operation, () => prepare(connection))
      return prompt$(machine, { operation, wallet: connection.session.wallet.info.id }, request)
    }),
  )

/** Calls `prepare`; an error it throws becomes the state's error. */
export function prepareOrRefuse<T>(machine: WalletMachine, operation: WalletOperation, prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    return refuse(machine, asWalletError(operation, error))
  }
}

function refuse(machine: WalletMachine, error: ChainWalletError): never {
  withPaymentOutcome(error)
  machine.dispatch({ type: 'refused', error })
  throw error
}
