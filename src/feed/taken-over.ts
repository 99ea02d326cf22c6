import { ChainError } from '../errors/chain-error.js'

/** The error of an instance that was not the one to deliver. */
export const takenOver = (): ChainError<'taken-over'> =>
  new ChainError('The batch was not stored: another instance has delivered in the meantime', {
    code: 'taken-over',
    hint: 'Start the feed again: it waits until the other instance ends.',
  })
