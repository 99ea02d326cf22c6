/** A script failed; the message is the node's word for why. It never leaves this room: what does is an objection. */
export class ScriptError extends Error {}
