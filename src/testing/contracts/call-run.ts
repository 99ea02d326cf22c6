/** The outcome of one spend of a contract, executed without a network. */
export interface CallRun<State = unknown> {
  readonly ok: boolean
  /** The entry that was called. */
  readonly entry: string
  /** The node's text of the refusal; undefined where the call is valid. */
  readonly reason: string | undefined
  /** Script units used; up to the failure where there is one. */
  readonly units: number
  /** The smallest compute budget of the input that covers them. */
  readonly budget: number
  /** The minimum relay fee of this spend alone, without inputs that fund it, in sompi. */
  readonly fee: bigint
  /** The states of its outputs, by their place; empty where the call ends the covenant. */
  readonly nextStates: readonly State[]
  /** Where it failed: script, position and opcode, and the stack before it, lowest first, in hex. */
  readonly failure: CallFailure | undefined
}

export interface CallFailure {
  readonly script: 'signature' | 'locking' | 'redeem'
  /** Offset of the opcode in that script, in bytes; undefined after its end. */
  readonly position?: number
  readonly opcode?: number
  readonly stack: readonly string[]
}
