import { filter, firstValueFrom, map, merge, timer } from 'rxjs'
import type { CoreParts } from '../../engine/core-parts.js'
import { ChainError } from '../../errors/chain-error.js'
import { stateUnknown } from '../../errors/contract-errors.js'
import { abort$ } from '../../loading/abortable.js'
import { defineToken, type DefinedToken, type TokenDefinition } from '../../model/tokens/define-token.js'
import type { DescribedCall } from '../../operations/contracts/contract-call.js'
import type { SpentToken } from '../../operations/tokens/describe-transfer.js'
import type { Contracts } from '../create-contracts.js'
import type { Beginning } from '../follow-store.js'
import type { ContractInstance } from '../instance.js'

/** A token to add, and from where it is followed. */
export interface TokenSource extends TokenDefinition, Beginning {}

/** A token that is followed. */
export interface KnownToken extends DefinedToken, SpentToken {
  readonly instance: ContractInstance
}

/** Ms until the chain has to be read, to plan a transfer. */
const LIMIT = 60_000

/**
 * Checks a token. Throws `ChainError`: `invalid-artifact` for a program that is no token, `genesis-mismatch` with both
 * ids, `invalid-argument`.
 */
export function addToken(core: CoreParts, contracts: Contracts, source: TokenSource): KnownToken {
  const { from, snapshot, ...definition } = source
  const token = defineToken(definition)
  const instance = contracts.instance(token.program.contract, token.genesis as never, { from, snapshot })
  return { ...token, instance, ...spending(core, instance) }
}

/** What a transfer needs of the instance. */
function spending(
  core: CoreParts,
  { call, covenantId, view$ }: ContractInstance,
): Pick<KnownToken, 'target' | 'ready'> {
  const [described] = Object.values(call).map((describe) => describe({}) as DescribedCall)
  if (described === undefined) throw new TypeError('A token has entries')
  const { target } = described // the same for all entries
  return {
    target,
    ready: async (signal) => {
      const ended$ = merge(abort$(signal), timer(LIMIT, core.platform.scheduler), core.ended$).pipe(map(() => null))
      const followed$ = view$.pipe(filter(({ isLive, error }) => isLive || error !== null))
      const view = await firstValueFrom(merge(followed$, ended$), { defaultValue: null })
      if (signal?.aborted === true) throw aborted(signal.reason)
      if (view === null) throw notFollowed(covenantId)
      if (view.error !== null) throw view.error
      return !view.isIncomplete
    },
  }
}

const aborted = (cause: unknown): ChainError => new ChainError('The transfer was aborted', { code: 'aborted', cause })

const notFollowed = (covenantId: string): ChainError =>
  stateUnknown(
    `The outputs of the token ${covenantId} are not known`,
    'The chain was not read within a minute: connect, then plan the transfer again.',
  )
