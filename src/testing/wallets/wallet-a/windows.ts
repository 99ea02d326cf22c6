import { never } from '../pause.js'
import type { Prompt, PromptKind, Prompts } from '../prompts.js'
import { refuse } from '../refuse.js'
import { userRejected } from './errors.js'

/** Has the user approve of something; rejects as KasWare does where they do not. */
export type Approve = (kind: PromptKind, detail?: unknown) => Promise<void>

interface Asking {
  readonly turn: number
  readonly prompt: Prompt | undefined
}

/**
 * KasWare's one approval window: the last call wins. A later call closes the window of an earlier one, whose promise is
 * never settled; two calls in one go leave two windows open, of which only the second means anything.
 */
export function createWindows(prompts: Prompts): (turn: number) => Approve {
  let last: Asking | undefined
  return (turn) => async (kind, detail) => {
    if (last?.prompt !== undefined && last.turn !== turn) prompts.abandon(last.prompt)
    const answer = prompts.ask(kind, detail)
    const mine = { turn, prompt: prompts.open.at(-1) }
    last = mine
    const said = await answer
    if (last !== mine) return never()
    last = undefined
    if (said !== 'approve') refuse(userRejected)
  }
}
