import { ChainError } from '../../errors/chain-error.js'

/** The error of an artifact that is not what the compiler writes, with the path of the part. */
export const invalidArtifact = (path: string, reason: string): ChainError<'invalid-artifact'> =>
  new ChainError(`The artifact is not valid: ${path} ${reason}`, {
    code: 'invalid-artifact',
    argument: path,
    hint: 'Write it again with the compiler, and load it from a source that you trust: it decides what a call signs.',
  })
