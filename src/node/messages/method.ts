import type { Shape } from './shape.js'

/** A method of the node. Its types, both encodings and the guard of older nodes follow from its entry. */
export interface MethodEntry {
  /** Its code in Borsh. JSON names it by its key. */
  readonly op: number
  /** The node version that brought it; nodes close the connection on methods they do not know. Without it: every node. */
  readonly since?: string
  readonly request: Shape
  readonly response: Shape
}

/** The request or the response that says nothing. */
export const nothing = { tag: 'u16', fields: {} } as const satisfies Shape
