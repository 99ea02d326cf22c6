/** The connection to the sink has failed. What was written last may be stored or not: the stored position says it. */
export class SessionDropped extends Error {
  override readonly name = 'SessionDropped'

  constructor(cause: unknown) {
    super('The connection to the sink was lost', { cause })
  }
}
