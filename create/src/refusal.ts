/** Why no app is created, in words for the user. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    message: string,
    /** 1 for a refusal, 2 for a wrong command line. */
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}
