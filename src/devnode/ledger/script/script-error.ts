/** A failed script, with the node's message. Caught in `script/` and returned as a `Violation`. */
export class ScriptError extends Error {}
