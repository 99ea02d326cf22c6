import type { ActionName } from '../network/action-labels.js'
import type { Dag } from '../network/dag/dag.js'

/** From the page to the frame that runs the reader's code. */
export type ToFrame =
  | { readonly type: 'run'; readonly code: string; readonly css: string }
  | { readonly type: 'act'; readonly action: ActionName }
  | { readonly type: 'theme'; readonly dark: boolean }

/** From the frame to the page. Everything in it is text of the reader's code: shown, never run. */
export type FromFrame =
  | { readonly type: 'ready' }
  | { readonly type: 'line'; readonly level: LineLevel; readonly text: string }
  | { readonly type: 'dag'; readonly dag: Dag }

/** A message of the frame's script, with the mark of its run. */
export interface Signed<Message> {
  readonly run: string
  readonly message: Message
}

export type LineLevel = 'log' | 'warn' | 'error'
