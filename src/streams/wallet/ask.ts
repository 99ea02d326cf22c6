import { defer, filter, firstValueFrom, map, merge, type Observable } from 'rxjs'
import { asWalletError } from '../../errors/wallet-error.js'
import type { Machine } from '../machine.js'
import type { Prompt, Standing, WalletEvent, WalletPhase } from './phases.js'
import { busy, givenUp, locked, notConnected } from './prompt-errors.js'
import type { WalletOperation } from './state.js'

export type WalletMachine = Machine<WalletPhase, WalletEvent>

export type Connected = Extract<Standing, { status: 'connected' }>

/**
 * Puts a question to the user, the only one at a time, and hands on the wallet's answer as `toEvent` reads it. Ends at
 * once when it is given up; an answer after that is nobody's. Rejects with `ChainWalletError`, which is the state's error.
 */
export async function ask<T>(
  machine: WalletMachine,
  prompt: Prompt,
  question: () => Promise<T>,
  toEvent: (answer: T) => WalletEvent = () => ({ type: 'answered', prompt }),
): Promise<T> {
  machine.dispatch({ type: 'asked', prompt })
  const open = machine.state.prompt
  if (open !== prompt) return refuse(machine, busy(prompt.operation, open?.operation))
  try {
    const answer = await firstValueFrom(merge(whenGivenUp$(machine, prompt), defer(question)))
    machine.dispatch(toEvent(answer))
    return answer
  } catch (cause) {
    const error = asWalletError(prompt.operation, cause)
    machine.dispatch({ type: 'failed', prompt, error })
    throw error
  }
}

const whenGivenUp$ = ({ state$ }: WalletMachine, prompt: Prompt): Observable<never> =>
  state$.pipe(
    filter((phase) => phase.prompt !== prompt),
    map(() => {
      throw givenUp(prompt)
    }),
  )

/** The same for an operation of a connected account; `prepare` refuses what cannot be meant before anyone is asked. */
export async function askConnected<T>(
  machine: WalletMachine,
  operation: WalletOperation,
  prepare: (connected: Connected) => () => Promise<T>,
): Promise<T> {
  const { standing } = machine.state
  if (standing.status === 'locked') return refuse(machine, locked(operation))
  if (standing.status !== 'connected') return refuse(machine, notConnected(operation))
  const question = prepared(machine, operation, () => prepare(standing))
  return ask(machine, { operation, wallet: standing.session.wallet.info.id }, question)
}

/** What `prepare` makes; what it refuses is the state's error. */
export function prepared<T>(machine: WalletMachine, operation: WalletOperation, prepare: () => T): T {
  try {
    return prepare()
  } catch (error) {
    return refuse(machine, asWalletError(operation, error))
  }
}

export function refuse(machine: WalletMachine, error: ReturnType<typeof asWalletError>): never {
  machine.dispatch({ type: 'refused', error })
  throw error
}
