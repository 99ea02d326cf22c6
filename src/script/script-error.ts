/** A failed script, with the node's message. Caught in `script/` and returned as a `ScriptFailure`. */
export class ScriptError extends Error {}

/** An operation that the node refuses in a state that has no error of its own. */
export const invalidState = (reason: string): ScriptError =>
  new ScriptError(`encountered invalid state while running script: ${reason}`)
