import type { Shape } from './shape.js'

/** A method of the node. Its types, both encodings and the version check derive from its entry. */
export interface MethodEntry {
  /** Its code in Borsh. JSON names it by its key. */
  readonly op: number
  /** The node version that added it. Older nodes close the connection on unknown methods. Absent: every node has it. */
  readonly since?: string
  readonly request: Shape
  readonly response: Shape
}

/** A request or response without fields. */
export const emptyBody = { tag: 'u16', fields: {} } as const satisfies Shape
